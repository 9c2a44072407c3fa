import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { EmbeddedDatabaseError, errorCode, plainReason } from './errors.ts';
import { postgresEnvironment } from './environment.ts';
import type { DatabaseHome } from './folders.ts';
import { startTimeOf } from './processes.ts';
import { credentials, makePrivate } from './run-as.ts';
import { syncFolder } from './sync-folder.ts';

const run = promisify(execFile);

export const DATABASE_USER = 'app';

const COMPLAINT = /^.*?(?:error|ERROR|FATAL|PANIC): +/;

/** The data folder of this PostgreSQL, made on the first start. */
export async function ensureCluster(home: DatabaseHome, binaries: Binaries): Promise<string> {
  const dataFolder = join(home.folder, `data${binaries.major}`);
  if (await isCluster(dataFolder)) return dataFolder;
  await removeAbandonedDrafts(home.folder);
  // Created under another name and renamed when complete: a partial cluster is never used.
  const draft = await mkdtemp(join(home.folder, `${draftPrefix(binaries.major)}${process.pid}-`));
  try {
    await initialise(draft, home, binaries, ['--auth-local=trust', '--auth-host=scram-sha-256']);
    await rename(draft, dataFolder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const code = errorCode(error);
    const isCreatedElsewhere = code === 'ENOTEMPTY' || code === 'EEXIST';
    if (!isCreatedElsewhere) throw error;
  }
  await syncFolder(home.folder);
  await syncFolder(dirname(home.folder));
  return dataFolder;
}

/** Runs initdb, which syncs what it wrote. Trust on the socket is safe: its folder is closed to others. */
export async function initialise(
  folder: string,
  home: DatabaseHome,
  binaries: Binaries,
  extra: string[],
): Promise<void> {
  await makePrivate(folder, home.runAs);
  // The builtin provider sorts the same everywhere; PostgreSQL has it since 17.
  const locale =
    binaries.major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C.UTF-8']
      : ['--locale=C.UTF-8'];
  const fixed = ['-D', folder, '-U', DATABASE_USER, '--encoding=UTF8', '--no-instructions'];
  try {
    await run(binaries.initdb, [...fixed, ...locale, ...extra], {
      ...credentials(home.runAs),
      env: postgresEnvironment(home.folder),
      cwd: '/',
    });
  } catch (error) {
    throw new EmbeddedDatabaseError(
      'failed',
      `The database could not be created in ${home.folder}: ${complaintOf(error)}.`,
      { cause: error },
    );
  }
}

async function isCluster(dataFolder: string): Promise<boolean> {
  try {
    await access(join(dataFolder, 'PG_VERSION'));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw new EmbeddedDatabaseError(
      'not-writable',
      `The database folder ${dataFolder} cannot be opened: ${plainReason(error)}.`,
      { cause: error },
    );
  }
}

function draftPrefix(major: number): string {
  return `data${major}.init-`;
}

/** Partial clusters of starts that were killed during initdb. */
async function removeAbandonedDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = /^data\d+\.init-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || (await startTimeOf(Number(pid))) !== undefined) continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}

/** Why initdb failed: what it complains of. It ends by saying that it tidies up. */
export function complaintOf(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const lines = output.trim().split('\n');
  const line =
    lines.findLast((text) => COMPLAINT.test(text)) ?? (lines.at(-1) || plainReason(error));
  return line
    .replace(COMPLAINT, '')
    .replace(/^initdb: /, '')
    .replace(/\.$/, '');
}
