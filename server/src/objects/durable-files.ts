import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

// Absent on Windows, where undefined counts as 0 in the union of flags.
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/** Creates a file that must not exist yet; its bytes are on disk when this resolves. */
async function writeNewFile(file: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Old bytes or new bytes, also for a reader in between and after a power cut. */
export async function replaceFile(file: string, bytes: Uint8Array, mode = 0o644): Promise<void> {
  const temporary = path.join(path.dirname(file), `.new-${randomUUID()}`);
  try {
    await writeNewFile(temporary, bytes, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(path.dirname(file));
}

/** Makes names created, renamed or removed in a directory survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory, and needs no such call.
  if (process.platform === 'win32') return;
  const handle = await open(directory, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
