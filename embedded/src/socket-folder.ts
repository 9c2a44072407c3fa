import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabaseError, plainReason } from './errors.ts';
import type { DatabaseHome } from './folders.ts';
import { canWorkIn, makePrivate } from './run-as.ts';

export const SOCKET_PORT = 5432;

// sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included.
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/**
 * A folder for the socket that only the database's account may enter: who can enter it may connect.
 * Beside the data, or in the temporary folder where that path is too long for a socket.
 */
export async function prepareSocketFolder(home: DatabaseHome): Promise<string> {
  const folder = join(home.folder, 'run');
  if (fits(folder)) {
    await openFolder(folder, home);
    return folder;
  }
  // The name follows from the data folder, so that a crash leaves nothing to be tidied up.
  const name = `meridian-${createHash('sha256').update(home.folder).digest('hex').slice(0, 16)}`;
  for (const parent of [tmpdir(), '/tmp']) {
    const short = join(parent, name);
    if (!fits(short) || !(await canWorkIn(parent, home.runAs))) continue;
    await openFolder(short, home);
    return short;
  }
  throw new EmbeddedDatabaseError(
    'failed',
    `The path of the database folder ${home.folder} is too long for a socket, and ${tmpdir()} cannot stand in for it; choose a shorter DATA_DIR.`,
  );
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_PATH;
}

async function openFolder(folder: string, { runAs }: DatabaseHome): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { uid } = await lstat(folder);
    // In a shared temporary folder another user may have put something of that name there first.
    const isOurs = uid === runAs?.uid || uid === process.getuid?.();
    if (!isOurs) throw new Error('it belongs to another user');
    await makePrivate(folder, runAs);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      'not-writable',
      `The folder ${folder} cannot hold the database's socket: ${plainReason(error)}.`,
      { cause: error },
    );
  }
}
