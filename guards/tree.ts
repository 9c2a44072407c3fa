import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The project's root. */
export const ROOT = path.resolve(import.meta.dirname, '..');

/** Files of the project, tracked or about to be, relative to the root and with forward slashes. */
export function projectFiles(matching: RegExp): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter((file) => matching.test(file) && existsSync(path.join(ROOT, file)));
}

export function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

/** What a file imports: package names as written, relative ones resolved against the root. */
export function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORT)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    return specifier.startsWith('.')
      ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
      : specifier;
  });
}
