import { compile } from '@fastify/proxy-addr';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@meridian/contract/session-calls';
import { errorCode, exists, plainReason, requireFolder } from '@meridian/embedded-postgres/folders';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { canonicalUsername } from '../features/administrators/username.ts';
import { StartError } from '../start-error.ts';

type Variable<T> = {
  parse(text: string): T;
  fallback: T;
  shown: string;
  meaning: string;
  /** The text of a secret never appears in a message. */
  isSecret: boolean;
};

export class Malformed extends Error {}

type Options = { shown?: string; isSecret?: boolean };

export function variable<T>(
  parse: (text: string) => T,
  fallback: NoInfer<T>,
  meaning: string,
  { shown = String(fallback ?? 'none'), isSecret = false }: Options = {},
): Variable<T> {
  return { parse, fallback, shown, meaning, isSecret };
}

export function optional<T>(
  parse: (text: string) => T,
  meaning: string,
  options?: Options,
): Variable<T | null> {
  return variable<T | null>(parse, null, meaning, options);
}

type ValuesOf<V> = { [K in keyof V]: V[K] extends Variable<infer T> ? T : never };

export function readVariables<V extends Record<string, Variable<unknown>>>(
  variables: V,
  env: NodeJS.ProcessEnv,
): ValuesOf<V> {
  const values = Object.entries(variables).map(([name, one]) => [name, read(name, one, env[name])]);
  // The values are built from the same keys, each by its own parser.
  return Object.fromEntries(values) as ValuesOf<V>;
}

export function directOrFile<
  Name extends string,
  Given extends Record<Name | `${Name}_FILE`, unknown>,
>(name: Name, given: Given): Given[Name] | Given[`${Name}_FILE`] {
  const inFile = given[`${name}_FILE`];
  if (given[name] !== null && inFile !== null) {
    throw new StartError(`Set ${name} or ${name}_FILE, not both.`);
  }
  return given[name] ?? inFile;
}

function read(name: string, one: Variable<unknown>, text: string | undefined): unknown {
  // Compose files and unit files pass on variables that are not set as empty ones.
  if (text === undefined || text === '') return one.fallback;
  try {
    return one.parse(text);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const given = one.isSecret ? '' : `, not "${masked(text)}"`;
    throw new StartError(`${name} must be ${error.message}${given}.`);
  }
}

export function whole(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw new Malformed(`a whole number from ${min} to ${max}`);
  };
}

export function oneOf<const T extends readonly string[]>(...words: T) {
  return (text: string): T[number] => {
    const word = words.find((candidate) => candidate === text);
    if (word !== undefined) return word;
    throw new Malformed(`${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
  };
}

export function onOff(text: string): boolean {
  return oneOf('on', 'off')(text) === 'on';
}

export function listOf<T>(parse: (text: string) => T) {
  return (text: string): readonly T[] => text.split(',').map((item) => parse(item.trim()));
}

export function matching(expected: string, pattern: RegExp) {
  return (text: string): string => {
    if (pattern.test(text)) return text;
    throw new Malformed(expected);
  };
}

export function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Malformed('an http:// or https:// address');
  }
  if (!url.username && !url.password && !url.search && !url.hash) return url;
  throw new Malformed('an http:// or https:// address without user name, query or fragment');
}

export function origin(text: string): string {
  if (URL.parse(text)?.origin === text && /^https?:/.test(text)) return text;
  throw new Malformed('a list of origins such as https://admin.example.com, separated by commas');
}

export function publicUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && text.replace(/\/$/, '') === url.origin) return url.origin;
  throw new Malformed('an https:// address without a path');
}

export const DATABASE_ADDRESS =
  'a PostgreSQL address such as postgresql://meridian@db.example.com/meridian';

export function databaseUrl(text: string): string {
  // The URL parser drops line breaks; the message of the driver would hold the rest.
  const url = /\s|\p{Cc}/u.test(text) ? null : URL.parse(text);
  const isPostgres = url !== null && /^postgres(ql)?:$/.test(url.protocol);
  // The driver throws at a lone percent sign, and its message names neither setting nor remedy.
  const parts = `${url?.username} ${url?.password} ${url?.pathname}`;
  if (!isPostgres || !succeeds(() => decodeURIComponent(parts))) {
    throw new Malformed(DATABASE_ADDRESS);
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    requireReadable(name, url.searchParams.get(name));
  }
  return text;
}

/** The driver reads the file at every connect. The error is not Malformed, as the address may lie in a file. */
function requireReadable(name: string, path: string | null): void {
  if (path === null || path === '') return;
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new StartError(
      `The file ${path} cannot be read; correct ${name} in the address of the database.`,
      { cause: error },
    );
  }
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

export function username(text: string): string {
  const name = canonicalUsername(text);
  if (name !== null) return name;
  throw new Malformed('a user name of 1 to 64 visible characters');
}

export function password(text: string): string {
  const length = Array.from(text).length;
  if (length >= PASSWORD_MIN_LENGTH && length <= PASSWORD_MAX_LENGTH) return text;
  throw new Malformed(`a password of ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters`);
}

export const hostName = matching(
  'a list of host names without port, separated by commas',
  /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])$/,
);

/** The text goes into the content security policy as it stands. */
export const imageHost = matching(
  'a list of host names such as images.example.com or *.example.com, separated by commas',
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/,
);

export function proxy(text: string): string {
  const isNamed = ['loopback', 'linklocal', 'uniquelocal'].includes(text);
  const isNetwork = isIP(text.split('/')[0] ?? '') > 0 && succeeds(() => compile([text]));
  if (isNamed || isNetwork) return text;
  throw new Malformed('a list of addresses or networks such as 10.0.0.0/8, separated by commas');
}

export function anything(text: string): string {
  return text;
}

/** A malformed address may hold an unescaped secret anywhere before its last @. */
export function masked(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text) ?? [];
  return scheme + rest.replace(/^.*@/s, '***@').replace(/[?#].*$/s, (query) => `${query[0]}***`);
}

/** The driver takes a password from the query too. */
export function hasPassword(databaseUrl: string): boolean {
  const { password, searchParams } = new URL(databaseUrl);
  return password !== '' || searchParams.has('password');
}

/** Others must not read the file, and the group must not write it. */
const FORBIDDEN_MODE = 0o027;
const MAX_BYTES = 4096;

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

export function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : `./${fromHere}`;
}

/** A folder is created as a test, because mounts, access lists and pseudo file systems count beside modes. */
export async function requireDataDir(path: string): Promise<void> {
  try {
    const folder = await nearestExisting(path);
    await requireFolder(folder);
    await rmdir(await mkdtemp(join(folder, '.meridian-start-')));
  } catch (error) {
    // The data on a full disk can still be read.
    if (errorCode(error) === 'ENOSPC' && (await exists(path))) return;
    // Under /proc a new folder is refused as if the one above it were missing.
    const isMissing = errorCode(error) === 'ENOENT';
    const reason = isMissing ? 'nothing can be created there' : plainReason(error);
    throw new StartError(
      `The data folder ${path} cannot be written (${reason}); set DATA_DIR to a folder that this account may write to.`,
      { cause: error },
    );
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((await exists(folder)) || folder === dirname(folder)) return folder;
  }
}
