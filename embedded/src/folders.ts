import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
  readonly code: 'in-use' | 'not-writable' | 'no-binaries' | 'wrong-version' | 'failed';

  constructor(code: EmbeddedDatabaseError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

const PLAIN_WORDS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
};

export function plainReason(error: unknown): string {
  const words = PLAIN_WORDS[errorCode(error) ?? ''];
  return words ?? (error instanceof Error ? error.message : String(error));
}

export async function orRefuse<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error;
    const sentence = `The database folder ${folder} cannot be written: ${plainReason(error)}.`;
    throw new EmbeddedDatabaseError('not-writable', sentence, { cause: error });
  }
}

export async function unless<T>(codes: string[], work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codes.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** A link that leads nowhere counts too, because it is in the way as a file is. */
export async function exists(path: string): Promise<boolean> {
  return (await unless(['ENOENT', 'ENOTDIR'], fs.lstat(path))) !== undefined;
}

export async function requireFolder(path: string): Promise<void> {
  if ((await fs.stat(path)).isDirectory()) return;
  throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
}

/** Node's own recursive mkdir never ends under /proc. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (!(await exists(path))) {
    await makeFolder(dirname(path), mode);
    await unless(['EEXIST'], fs.mkdir(path, { mode }));
  }
  await requireFolder(path);
}

/** A rename or a new name in a folder survives a power cut only once the folder itself is synced. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await fs.open(folder, 'r');
  await handle.sync();
}

/** Root keeps here what the unprivileged account of the database must be able to reach. */
export const SYSTEM_FOLDER = '/var/lib/meridian';
export const SOCKET_PORT = 5432;
// A socket's path holds 108 bytes on Linux and 104 on macOS, the closing zero included.
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;
const ACCOUNTS = ['meridian', 'postgres', 'nobody'];

export type RunAs = { uid: number; gid: number; name: string } | undefined;
export type Notice = (message: string) => void;
export type DatabaseHome = { folder: string; runAs: RunAs };

export async function prepareHome(dataDir: string, onNotice: Notice): Promise<DatabaseHome> {
  const folder = join(dataDir, 'postgres');
  return orRefuse(folder, async () => {
    await makeFolder(dataDir, 0o711);
    await makeFolder(folder, 0o700);
    await fs.access(folder, fs.constants.W_OK | fs.constants.X_OK);
    let place = await placeOf(folder);
    const runAs = await chooseRunAs(await newestCluster(place));
    if (runAs === undefined) return { folder: place, runAs };
    if (place === folder) {
      await makePrivate(folder, runAs);
      if (await canWorkIn(folder, runAs)) return { folder, runAs };
      place = await orRefuse(SYSTEM_FOLDER, () => moveAway(folder));
    }
    await makePrivate(place, runAs);
    onNotice(
      `The database runs as ${runAs.name}, who cannot reach ${folder}, so it is kept in ${place}.`,
    );
    return { folder: place, runAs };
  });
}

export async function hasDatabase(dataDir: string): Promise<boolean> {
  const folder = join(dataDir, 'postgres');
  return orRefuse(folder, async () => (await newestCluster(await placeOf(folder))) !== undefined);
}

export async function newestCluster(home: string): Promise<string | undefined> {
  const names = (await unless(['ENOENT'], fs.readdir(home))) ?? [];
  const majors = names.flatMap((name) => /^data(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  return majors.length === 0 ? undefined : join(home, `data${Math.max(...majors)}`);
}

async function placeOf(folder: string): Promise<string> {
  const location = await unless(['ENOENT'], fs.readFile(join(folder, 'location'), 'utf8'));
  const place = location?.trim() ?? '';
  // The database's account can write here, and must not make root hand over a folder of its choice.
  return dirname(place) === SYSTEM_FOLDER ? place : folder;
}

// The file lies inside the data folder: an operator who deletes that must start with an empty database.
async function moveAway(folder: string): Promise<string> {
  await fs.mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const elsewhere = await fs.mkdtemp(join(SYSTEM_FOLDER, 'db-'));
  const options = { flag: 'wx', flush: true };
  // Another start may have written its location first: that one counts.
  await unless(['EEXIST'], fs.writeFile(join(folder, 'location'), `${elsewhere}\n`, options));
  await syncFolder(folder);
  return placeOf(folder);
}

export async function chooseRunAs(existing?: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = existing === undefined ? { uid: 0, gid: 0 } : await fs.stat(existing);
  if (uid !== 0) return { uid, gid, name: `user ${uid}` };
  const lines = (await fs.readFile('/etc/passwd', 'utf8')).split('\n');
  for (const name of ACCOUNTS) {
    const line = lines.find((it) => it.startsWith(`${name}:`));
    const [uid = 0, gid = 0] = line?.split(':').slice(2).map(Number) ?? [];
    if (uid > 0) return { uid, gid, name: `user ${name}` };
  }
  throw new EmbeddedDatabaseError(
    'no-binaries',
    'PostgreSQL does not run as root and this machine has no user meridian, postgres or nobody for it; start as another user or set DATABASE_URL.',
  );
}

export const credentials = (runAs: RunAs) => ({ uid: runAs?.uid, gid: runAs?.gid });

/** The system is asked, because access lists and mounts count beside mode bits. */
async function canWorkIn(folder: string, runAs: RunAs): Promise<boolean> {
  const args = ['-c', 'test -w "$0" && test -x "$0" && echo yes; true', folder];
  const options = { ...credentials(runAs), cwd: '/' };
  return (await promisify(execFile)('/bin/sh', args, options)).stdout !== '';
}

/** Others may have been first, so a link or a stranger's folder is refused. */
export async function makePrivate(folder: string, runAs: RunAs): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await fs.lstat(folder);
  if (!found.isDirectory()) throw new Error('it is no folder');
  const isOurs = [runAs?.uid, process.getuid?.()].includes(found.uid);
  if (!isOurs) throw new Error('it belongs to another user');
  if (runAs !== undefined && found.uid !== runAs.uid) await fs.lchown(folder, runAs.uid, runAs.gid);
  if ((found.mode & 0o777) !== 0o700) await fs.chmod(folder, 0o700);
}

/** Everyone who can enter this folder may connect. */
export function socketFolderOf(home: string): string {
  const socket = join(home, 'run', `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(socket) <= LONGEST_PATH) return dirname(socket);
  return join('/tmp', `meridian-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`);
}
