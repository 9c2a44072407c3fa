import { execFile } from 'node:child_process';
import { chmod, lchown, lstat, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedDatabaseError, errorCode } from './errors.ts';

const run = promisify(execFile);

/** The account PostgreSQL runs under. Undefined means the one this process has. */
export type RunAs = { uid: number; gid: number; name: string } | undefined;

// A packager's own account comes first: the others may be shared with other services.
const ACCOUNTS = ['meridian', 'postgres', 'nobody'];

/** PostgreSQL refuses to run as root: take the owner of the existing data, else a known account. */
export async function chooseRunAs(existingFolders: string[]): Promise<RunAs> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = await readAccounts();
  for (const folder of existingFolders) {
    const owner = await ownerOf(folder);
    if (owner === undefined || owner.uid === 0) continue;
    const known = [...accounts].find(([, account]) => account.uid === owner.uid);
    return { ...owner, name: `user ${known?.[0] ?? owner.uid}` };
  }
  for (const name of ACCOUNTS) {
    const account = accounts.get(name);
    if (account !== undefined && account.uid !== 0) return { ...account, name: `user ${name}` };
  }
  throw new EmbeddedDatabaseError(
    'no-binaries',
    'PostgreSQL does not run as root and this machine has no user meridian, postgres or nobody for it; start as another user or set DATABASE_URL.',
  );
}

export function credentials(runAs: RunAs): { uid?: number; gid?: number } {
  return runAs === undefined ? {} : { uid: runAs.uid, gid: runAs.gid };
}

/** Asks the system rather than computing it from mode bits: access lists and mounts count too. */
export async function canWorkIn(folder: string, runAs: RunAs): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder], {
      ...credentials(runAs),
      cwd: '/',
    });
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw error; // no /bin/sh: nothing here can work
    return false;
  }
}

/**
 * Closes a folder to everyone but the database's account. Never follows a link: root does this in
 * folders that account can write to.
 */
export async function makePrivate(folder: string, runAs: RunAs): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new Error('it is no folder');
  if (runAs !== undefined && found.uid !== runAs.uid) await lchown(folder, runAs.uid, runAs.gid);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(folder);
    return { uid, gid };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function readAccounts(): Promise<Map<string, { uid: number; gid: number }>> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n');
  return new Map(
    lines.map((line) => {
      const [name = '', , uid, gid] = line.split(':');
      return [name, { uid: Number(uid), gid: Number(gid) }];
    }),
  );
}
