import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '@meridian/embedded-postgres/folders';

const NAME = /^meridian-test-(\d+)-/;

/** A folder for this run's clusters. What killed runs left behind goes first: it is large. */
export async function makeScratchFolder(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(tmpdir(), `meridian-test-${process.pid}-`));
  await chmod(folder, 0o711); // as root the clusters run under another account
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
