import type { ErrorCode } from '@meridian/contract/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AppError } from './errors.ts';

const MAX_DEPTH = 20;
const MAX_KEYS = 2_000;
/** A thread has hundreds of values. A megabyte of them held the process for 180 ms. */
const MAX_VALUES = 10_000;
const MAX_SHOWN_KEY = 64;

export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async ({ headers, routeOptions }: FastifyRequest, body: Readable) => {
      requirePlainUtf8(headers);
      const limit = routeOptions.bodyLimit;
      if (Number(headers['content-length']) > limit) throw new AppError('body_too_large');
      const bytes = await readBody(body, limit);
      return bytes.length === 0 ? undefined : parseJsonBody(bytes);
    },
  );
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** A compressed body or one in another character set would only look like broken JSON. */
function requirePlainUtf8(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (encoding === 'identity' && ['utf-8', 'utf8'].includes(charset)) return;
  throw new AppError('unsupported_media_type', {
    message: 'The request body must be sent as application/json in UTF-8, not compressed',
  });
}

export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('malformed_json');
  const text = bytes.toString('utf8');
  inspect(text);
  const value = parse(text);
  // Fastify does not tell a literal null from no body at all.
  if (value === null) throw refused('The request body must be an object');
  return value;
}

function parse(text: string): unknown {
  const value = jsonOf(text);
  if (value === undefined) throw new AppError('malformed_json');
  return value;
}

/** A string without an end counts as one; otherwise its end would be sought again from each quote. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],]/g;

/** JSON.parse lets depth, size, repeated names and unstorable text through. */
function inspect(text: string): void {
  // There is one entry per open bracket: the names of an object so far, null for an array.
  const open: (Set<string> | null)[] = [];
  let keyCount = 0;
  let valueCount = 0;
  let isKeyNext = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if ('{[,'.includes(token)) valueCount += 1;
    if (valueCount > MAX_VALUES) throw refused('The request body has too many values');
    if (token === '{' || token === '[') {
      if (open.length === MAX_DEPTH) throw refused('The request body is nested too deeply');
      open.push(token === '{' ? new Set() : null);
      isKeyNext = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      isKeyNext = false;
    } else if (token === ',') {
      isKeyNext = open.at(-1) instanceof Set;
    } else {
      const string = decode(token);
      if (!isKeyNext) continue;
      addKey(open.at(-1), string);
      isKeyNext = false;
      keyCount += 1;
      if (keyCount > MAX_KEYS) throw refused('The request body has too many fields');
    }
  }
}

function decode(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  const string = parse(token);
  if (typeof string !== 'string') throw new AppError('malformed_json');
  if (string.includes('\0') || !string.isWellFormed()) {
    throw refused('The request body contains characters that are not text');
  }
  return string;
}

function addKey(keys: Set<string> | null | undefined, key: string): void {
  if (key === '__proto__') throw refused('The request body has a forbidden field name');
  if (keys?.has(key) === true) {
    throw refused(`The request body repeats the field ${key.slice(0, MAX_SHOWN_KEY)}`);
  }
  keys?.add(key);
}

function refused(message: string): AppError {
  return new AppError('malformed_json', { message });
}

export function readBody(
  body: Readable,
  limit: number,
  tooLarge: ErrorCode = 'body_too_large',
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const bytes = new CollectedBytes();

  function take(piece: Buffer): void {
    if (bytes.length + piece.length > limit) return end(() => reject(new AppError(tooLarge)));
    bytes.add(piece);
  }
  const finish = () => end(() => resolve(bytes.take()));
  // A client that disconnects within its body is no error of the server.
  const giveUp = () => end(() => reject(new AppError('malformed_json')));

  function end(settle: () => void): void {
    body.off('data', take).off('end', finish).off('error', giveUp);
    settle();
  }

  body.on('data', take).on('end', finish).on('error', giveUp);
  return promise;
}

const FIRST_SIZE = 1_024;

/** Pieces are copied together as they come: a list would have an object for each, often of one byte. */
class CollectedBytes {
  #bytes = Buffer.allocUnsafe(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, FIRST_SIZE, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = needed;
  }

  take(max = this.#length): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, Math.min(max, this.#length));
  }
}

/** `arrayBuffer` and `text` of a response keep every piece: 5 MB of single bytes filled 800 MB. */
export async function readResponse(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const bytes = new CollectedBytes();
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes.add(piece);
    if (bytes.length > maxBytes) break;
  }
  return bytes.take(maxBytes);
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
