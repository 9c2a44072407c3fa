import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createConcurrencyLimit } from '../../http/concurrency-limit.ts';
import type { ConcurrencyLimit } from '../../http/concurrency-limit.ts';

const derive = promisify(argon2);

/** OWASP's minimum for argon2id; raise `passes` when a login takes under 80 ms on the usual machine. */
const CURRENT = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

type Parameters = typeof CURRENT;
type Stored = Parameters & { salt: Buffer; tag: Buffer };

/** Returns a PHC string: parameters, salt and tag. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_LENGTH);
  const tag = await tagOf(password, salt, CURRENT, TAG_LENGTH);
  return phcOf(salt, tag);
}

export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const stored = parse(phc);
  const tag = await tagOf(password, stored.salt, stored, stored.tag.length);
  return timingSafeEqual(tag, stored.tag);
}

export function isOutdated(phc: string): boolean {
  const { memory, passes, parallelism } = parse(phc);
  return (
    memory !== CURRENT.memory || passes !== CURRENT.passes || parallelism !== CURRENT.parallelism
  );
}

/** A hash of the current cost that no password matches; unknown user names are verified against it. */
export function unmatchableHash(): string {
  return phcOf(randomBytes(SALT_LENGTH), randomBytes(TAG_LENGTH));
}

function phcOf(salt: Buffer, tag: Buffer): string {
  const { memory, passes, parallelism } = CURRENT;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function tagOf(password: string, nonce: Buffer, cost: Parameters, tagLength: number) {
  return derive('argon2id', { message: password, nonce, tagLength, ...costOnly(cost) });
}

function costOnly({ memory, passes, parallelism }: Parameters): Parameters {
  return { memory, passes, parallelism };
}

function parse(phc: string): Stored {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('A stored password hash is damaged');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** A hash takes a core and 19 MiB: without a limit a flood of sign-ins would starve every other request. */
const LIMIT = { atOnce: 2, queue: 16, waitMs: 3_000, reserved: 1 };

export type HashGate = ConcurrencyLimit;

export function createHashGate(): HashGate {
  return createConcurrencyLimit(LIMIT);
}
