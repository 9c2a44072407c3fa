import { execFile } from 'node:child_process';
import { chmod, lchown, lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedDatabaseError } from './errors.ts';

/** The account PostgreSQL runs under. Undefined means the one this process has. */
export type RunAs = { uid: number; gid: number; name: string } | undefined;

// A packager's own account comes first: the others may be shared with other services.
const ACCOUNTS = ['meridian', 'postgres', 'nobody'];

/** PostgreSQL refuses to run as root: take the owner of the existing data, else a known account. */
export async function chooseRunAs(existingFolders: string[]): Promise<RunAs> {
  if (process.getuid?.() !== 0) return undefined;
  for (const folder of existingFolders) {
    const { uid, gid } = await stat(folder);
    if (uid !== 0) return { uid, gid, name: `user ${uid}` };
  }
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ACCOUNTS) {
    const [, , uid, gid] = lines.find(([account]) => account === name) ?? [];
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid), name: `user ${name}` };
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
  const options = { ...credentials(runAs), cwd: '/' };
  const script = 'cd "$1" 2>/dev/null && test -w . && echo yes; true';
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script, 'sh', folder], options);
  return stdout !== '';
}

/**
 * Makes a folder, or closes the one there is, to everyone but the database's account. Never follows a
 * link, nor takes a stranger's folder: root does this in folders where others may have been first.
 */
export async function makePrivate(folder: string, runAs: RunAs): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new Error('it is no folder');
  const isOurs = found.uid === runAs?.uid || found.uid === process.getuid?.();
  if (!isOurs) throw new Error('it belongs to another user');
  if (runAs !== undefined && found.uid !== runAs.uid) await lchown(folder, runAs.uid, runAs.gid);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}
