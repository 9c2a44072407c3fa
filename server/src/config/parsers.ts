import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@meridian/contract/auth';
import { canonicalUsername } from '../features/administrators/username.ts';
import { StartError } from '../start-error.ts';
import { Malformed } from './variable.ts';

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

/** An http(s) address without user name, query or fragment. */
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

/** An origin: paths are ours to choose. */
export function publicUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && text.replace(/\/$/, '') === url.origin) return url.origin;
  throw new Malformed('an https:// address without a path');
}

/** An example without a password, which is better stored elsewhere. */
export const DATABASE_ADDRESS =
  'a PostgreSQL address such as postgresql://meridian@db.example.com/meridian';

export function databaseUrl(text: string): string {
  // The URL parser drops line breaks; the driver would repeat the rest in its message.
  const url = /\s|\p{Cc}/u.test(text) ? null : URL.parse(text);
  const isPostgres = url !== null && /^postgres(ql)?:$/.test(url.protocol);
  if (!isPostgres || ![url.username, url.password, url.pathname].every(canBeDecoded)) {
    throw new Malformed(DATABASE_ADDRESS);
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    requireReadable(name, url.searchParams.get(name));
  }
  return text;
}

/** The driver reads these files whenever it connects. Not Malformed: the address may lie in a file of its own. */
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

/** The driver throws at a lone percent sign, and its message names neither setting nor remedy. */
function canBeDecoded(part: string): boolean {
  try {
    decodeURIComponent(part);
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

/** A public host name, or `*.` before one of at least two parts. Goes into the policy as it stands. */
export const imageHost = matching(
  'a list of host names such as images.example.com or *.example.com, separated by commas',
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/,
);

/** What the framework understands: an address, a network, or one of its three names for private ones. */
export function proxy(text: string): string {
  const isNamed = ['loopback', 'linklocal', 'uniquelocal'].includes(text);
  const isNetwork = isIP(text.split('/')[0] ?? '') > 0 && canCompile(text);
  if (isNamed || isNetwork) return text;
  throw new Malformed('a list of addresses or networks such as 10.0.0.0/8, separated by commas');
}

/** It throws on a network without a valid prefix length. */
function canCompile(network: string): boolean {
  try {
    compile([network]);
    return true;
  } catch {
    return false;
  }
}

export function anything(text: string): string {
  return text;
}
