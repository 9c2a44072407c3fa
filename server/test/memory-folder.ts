import { readFileSync, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';
const GIB = 1024 ** 3;

/** A folder in memory in which programs may run, with more room than the tests ever took (under 1 GiB). */
function isMemoryRoomy(): boolean {
  if (process.platform !== 'linux') return false;
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const [, , kind, options = ''] =
    mounts.findLast((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? [];
  if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= 4 * GIB && process.availableMemory() >= 8 * GIB;
}

/**
 * A database is three hundred files, and nearly every file of tests makes one: on a disk the system spends
 * several times as long on them as PostgreSQL does. An explicit TMPDIR is respected.
 */
export function keepFilesInMemory(): void {
  if (process.env['TMPDIR'] === undefined && isMemoryRoomy()) process.env['TMPDIR'] = MEMORY;
}
