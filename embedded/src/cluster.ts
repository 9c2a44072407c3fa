import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { EmbeddedDatabaseError, errorCode, plainReason } from './errors.ts';
import { syncFolder } from './folders.ts';
import type { DatabaseHome } from './folders.ts';
import { credentials, makePrivate } from './run-as.ts';

const run = promisify(execFile);

const COMPLAINT = /^.*?(?:error|ERROR|FATAL|PANIC): +/m;

export const DATABASE_USER = 'app';
export const DATABASE = 'meridian';

/** The data folder of this PostgreSQL, made on the first start with an empty database in it. */
export async function ensureCluster(home: DatabaseHome, binaries: Binaries): Promise<string> {
  const dataFolder = join(home.folder, `data${binaries.major}`);
  if (existsSync(join(dataFolder, 'PG_VERSION'))) return dataFolder;
  // Created under another name and renamed when complete: a partial cluster is never used.
  const draft = await mkdtemp(`${dataFolder}.init-`);
  try {
    await initialise(draft, home, binaries, ['--auth-local=trust', '--auth-host=scram-sha-256']);
    const creating = run(binaries.postgres, ['--single', '-D', draft, 'postgres'], optionsIn(home));
    creating.child.stdin?.end(`create database ${DATABASE}\n`);
    const { stderr } = await creating;
    // It ends well whatever became of the statement.
    if (COMPLAINT.test(stderr))
      throw notCreated(home, Object.assign(new Error(stderr), { stderr }));
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
  const builtin = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const locale = [...(binaries.major >= 17 ? builtin : []), '--locale=C.UTF-8'];
  const fixed = ['-D', folder, '-U', DATABASE_USER, '--encoding=UTF8', '--no-instructions'];
  try {
    await run(binaries.initdb, [...fixed, ...locale, ...extra], optionsIn(home));
  } catch (error) {
    throw notCreated(home, error);
  }
}

function notCreated({ folder }: DatabaseHome, cause: unknown): EmbeddedDatabaseError {
  const sentence = `The database could not be created in ${folder}: ${complaintOf(cause)}.`;
  return new EmbeddedDatabaseError('failed', sentence, { cause });
}

/**
 * PostgreSQL sees nothing of our environment: English messages (they are matched), UTC, and no PG*
 * variable that would change where or how it starts.
 */
export function optionsIn({ folder, runAs }: DatabaseHome) {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' };
  return { ...credentials(runAs), env: { ...env, TZ: 'UTC' }, cwd: '/' };
}

/** The last complaint in what a program of PostgreSQL wrote: initdb ends by saying that it tidies up. */
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
