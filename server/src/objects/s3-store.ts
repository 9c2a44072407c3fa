import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent } from 'undici';
import { guardedLookup } from './address-guard.ts';
import { cacheControlOf, contentTypeOf, OBJECT_MAX_BYTES } from './delivery.ts';
import { ObjectStoreError, ObjectTooLargeError, RefusedAddressError } from './errors.ts';
import { assertObjectKey } from './object-key.ts';
import { s3Url } from './s3-location.ts';
import type { S3Location } from './s3-location.ts';
import type { S3Store } from './types.ts';

export type S3Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
};

export type S3Limits = {
  readonly connectTimeoutMs: number;
  /** For one object: all attempts and the pauses between them. */
  readonly totalTimeoutMs: number;
  readonly attempts: number;
  readonly firstBackoffMs: number;
};
const LIMITS: S3Limits = {
  connectTimeoutMs: 3_000,
  totalTimeoutMs: 10_000,
  attempts: 3,
  firstBackoffMs: 200,
};
/** The response to an upload is empty, or an error of a few lines. */
const RESPONSE_MAX_BYTES = 64 * 1024;

export type S3StoreOptions = {
  readonly location: S3Location;
  readonly credentials: S3Credentials;
  readonly publicUrl: (key: string) => string;
  readonly limits?: S3Limits;
};

type Call = {
  method: 'GET' | 'PUT' | 'DELETE';
  key: string;
  bytes?: Uint8Array;
  signal: AbortSignal;
};

/** Any store that speaks S3. Needs the right to put, get and delete objects under its prefix, and no other. */
export function createS3Store(options: S3StoreOptions): S3Store {
  const { location, credentials, publicUrl, limits = LIMITS } = options;
  // `request` follows no redirect, and connects only to an address that the lookup has checked.
  const agentFor = (maxResponseSize: number) =>
    new Agent({
      maxResponseSize,
      connect: { lookup: guardedLookup(location.addresses), timeout: limits.connectTimeoutMs },
      allowH2: false,
    });
  const writing = agentFor(RESPONSE_MAX_BYTES);
  const reading = agentFor(OBJECT_MAX_BYTES);

  const call = async ({ method, key, bytes, signal }: Call) => {
    const url = s3Url(location, key);
    const { headers } = await signed(method, url, key, bytes);
    return (method === 'GET' ? reading : writing).request({
      method,
      origin: url.origin,
      path: url.pathname,
      // Outside of the signature, because proxies on the way may rewrite it.
      headers: {
        ...Object.fromEntries(headers),
        ...(bytes !== undefined && { 'cache-control': cacheControlOf(key) }),
      },
      ...(bytes !== undefined && { body: bytes }),
      signal,
    });
  };

  const signed = (method: string, url: URL, key: string, bytes: Uint8Array = new Uint8Array()) =>
    new AwsV4Signer({
      method,
      url: url.href,
      service: 's3',
      region: location.region,
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken !== null && { sessionToken: credentials.sessionToken }),
      headers: {
        ...(method === 'PUT' && { 'content-type': contentTypeOf(key) }),
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      },
      allHeaders: true,
    }).sign();

  const withRetries = async <Result>(
    key: string,
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const timeout = AbortSignal.timeout(limits.totalTimeoutMs);
    const ended = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run(ended);
      } catch (cause) {
        const error = failure(key, cause);
        if (attempt >= limits.attempts || ended.aborted || !isRetryable(error)) throw error;
        const backoffMs = limits.firstBackoffMs * 2 ** (attempt - 1) * (0.5 + Math.random());
        await delay(backoffMs, undefined, { signal: ended }).catch(() => {
          // The reason for the retry says more than the timeout during its pause.
          throw error;
        });
      }
    }
  };

  return {
    kind: 's3',
    publicUrl,

    async put(key, bytes, { signal } = {}) {
      assertObjectKey(key);
      if (bytes.byteLength > OBJECT_MAX_BYTES) throw new ObjectTooLargeError(key);
      await withRetries(key, signal, async (ended) => {
        const { statusCode, body } = await call({ method: 'PUT', key, bytes, signal: ended });
        const text = await body.text();
        if (statusCode !== 200) throw refusal(key, statusCode, text);
      });
    },

    async delete(key) {
      assertObjectKey(key);
      await withRetries(key, undefined, async (signal) => {
        const { statusCode, body } = await call({ method: 'DELETE', key, signal });
        const text = await body.text();
        const isGone = statusCode === 200 || statusCode === 204 || text.includes('NoSuchKey');
        if (!isGone) throw refusal(key, statusCode, text);
      });
    },

    async get(key, maxBytes = OBJECT_MAX_BYTES) {
      assertObjectKey(key);
      return withRetries(key, undefined, async (signal) => {
        const { statusCode, headers, body } = await call({ method: 'GET', key, signal });
        const size = Number(headers['content-length']);
        // Without a length it is no store that could be trusted with the memory.
        if (statusCode === 200 && !(size <= maxBytes)) {
          body.on('error', () => {}).destroy();
          if (size <= OBJECT_MAX_BYTES) throw new ObjectTooLargeError(key);
          return null;
        }
        const bytes = await body.bytes();
        if (statusCode === 200) return { bytes, contentType: contentTypeOf(key) };
        const error = refusal(key, statusCode, new TextDecoder().decode(bytes));
        // Not a missing bucket, which is a fault of the settings.
        if (statusCode === 404 && error.message.includes('NoSuchKey')) return null;
        throw error;
      });
    },
  };
}

/** Names S3's error code and nothing else of the response. */
function refusal(key: string, status: number, body: string): ObjectStoreError {
  const code = /<Code>(\w{1,64})<\/Code>/.exec(body)?.[1];
  const suffix = code === undefined ? '' : ` (${code})`;
  return new ObjectStoreError(`The request for ${key} failed with status ${status}${suffix}`, {
    status,
  });
}

function failure(key: string, cause: unknown): ObjectStoreError {
  if (cause instanceof ObjectStoreError) return cause;
  return new ObjectStoreError(`The request for ${key} got no response`, { cause });
}

function isRetryable(error: ObjectStoreError): boolean {
  if (error instanceof RefusedAddressError || error instanceof ObjectTooLargeError) return false;
  const { status } = error;
  return status === null || status === 429 || (status >= 500 && status !== 501);
}
