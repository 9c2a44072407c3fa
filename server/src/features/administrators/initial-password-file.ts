import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../objects/durable-files.ts';
import { orWhen } from '../../objects/fs-errors.ts';

const FILE_NAME = 'initial-admin-password';

export type InitialPasswordFile = ReturnType<typeof initialPasswordFile>;

/** Holds the generated password of the first administrator until it is changed. */
export function initialPasswordFile(dataDir: string) {
  const path = join(dataDir, FILE_NAME);

  async function read(): Promise<string | null> {
    const text = await orWhen(readFile(path, 'utf8'), ['ENOENT'], null);
    return text?.trimEnd() ?? null;
  }

  return {
    path,
    read,

    /** On disk when this returns: an account whose password is lost must not be created. */
    async write(password: string): Promise<void> {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await replaceFile(path, Buffer.from(`${password}\n`), 0o600);
    },

    /** Deletes the file if it holds this password. */
    async deleteIf(password: string): Promise<void> {
      if ((await read()) === password) await rm(path, { force: true });
    },
  };
}
