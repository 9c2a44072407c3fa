import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const FILE_NAME = 'initial-admin-password';

export type InitialPasswordFile = ReturnType<typeof initialPasswordFile>;

/** Holds the generated password of the first administrator until it is changed. */
export function initialPasswordFile(dataDir: string) {
  const path = join(dataDir, FILE_NAME);

  async function read(): Promise<string | null> {
    try {
      return (await readFile(path, 'utf8')).trimEnd();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return {
    path,
    read,

    /** On disk when this returns: an account whose password is lost must not be created. */
    async write(password: string): Promise<void> {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      await rm(draft, { force: true });
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(`${password}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
      await syncDirectory(dataDir);
    },

    /** Deletes the file if it holds this password. */
    async deleteIf(password: string): Promise<void> {
      if ((await read()) === password) await rm(path, { force: true });
    },
  };
}

async function syncDirectory(path: string): Promise<void> {
  // Windows can neither open nor sync a directory.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
