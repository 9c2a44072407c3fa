import { readFileSync, statSync } from 'node:fs';
import { Malformed } from './variable.ts';

/** Others must not read the file, and the group must not write it. */
const FORBIDDEN_MODE = 0o027;
const MAX_BYTES = 4096;

/** Reads a value from a file, so that it appears in no environment and no command line. */
export function inSecretFile<T>(holding: string, parse: (text: string) => T) {
  return (path: string): T => {
    const text = readSecret(path);
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      throw new Malformed(`a file that holds ${holding}`, { cause: error });
    }
  };
}

function readSecret(path: string): string {
  const file = orUnreadable(() => statSync(path));
  // A device or a pipe would be read without end.
  if (!file.isFile() || file.size > MAX_BYTES)
    throw new Malformed('a regular file of at most 4 kB');
  // Group and others mean nothing there.
  const isOpen = process.platform !== 'win32' && (file.mode & FORBIDDEN_MODE) !== 0;
  if (isOpen) throw new Malformed('a file that other users cannot read (chmod 600)');
  return orUnreadable(() => readFileSync(path, 'utf8')).trim();
}

function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Malformed('a file that can be read', { cause: error });
  }
}
