import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent } from 'undici';
import { guardedLookup } from './address-guard.ts';
import { cacheControlOf, contentTypeOf, OBJECT_MAX_BYTES } from './delivery.ts';
import { ObjectStoreError, RefusedAddressError } from './errors.ts';
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

type Upload = { key: string; bytes: Uint8Array; signal: AbortSignal };

/** Any store that speaks S3. Needs the right to put objects under its prefix, and no other. */
export function createS3Store(options: S3StoreOptions): S3Store {
  const { location, credentials, publicUrl, limits = LIMITS } = options;
  // `request` follows no redirect, and connects only to an address that the lookup has checked.
  const agent = new Agent({
    maxResponseSize: RESPONSE_MAX_BYTES,
    connect: { lookup: guardedLookup(location.addresses), timeout: limits.connectTimeoutMs },
    allowH2: false,
  });

  const send = async ({ key, bytes, signal }: Upload): Promise<void> => {
    const url = s3Url(location, key);
    const { headers } = await signed(url, key, bytes);
    const response = await agent.request({
      method: 'PUT',
      origin: url.origin,
      path: url.pathname,
      // Outside of the signature, because proxies on the way may rewrite it.
      headers: { ...Object.fromEntries(headers), 'cache-control': cacheControlOf(key) },
      body: bytes,
      signal,
    });
    const text = await response.body.text();
    if (response.statusCode !== 200) throw refusal(key, response.statusCode, text);
  };

  const signed = (url: URL, key: string, bytes: Uint8Array) =>
    new AwsV4Signer({
      method: 'PUT',
      url: url.href,
      service: 's3',
      region: location.region,
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken !== null && { sessionToken: credentials.sessionToken }),
      headers: {
        'content-type': contentTypeOf(key),
        'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      },
      allHeaders: true,
    }).sign();

  return {
    kind: 's3',
    publicUrl,

    async put(key, bytes, { signal } = {}) {
      assertObjectKey(key);
      if (bytes.byteLength > OBJECT_MAX_BYTES) throw new ObjectStoreError(`${key} is too large`);
      const timeout = AbortSignal.timeout(limits.totalTimeoutMs);
      const ended = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send({ key, bytes, signal: ended });
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
    },
  };
}

/** Names S3's error code and nothing else of the response. */
function refusal(key: string, status: number, body: string): ObjectStoreError {
  const code = /<Code>(\w{1,64})<\/Code>/.exec(body)?.[1];
  const suffix = code === undefined ? '' : ` (${code})`;
  return new ObjectStoreError(`Writing ${key} failed with status ${status}${suffix}`, { status });
}

function failure(key: string, cause: unknown): ObjectStoreError {
  if (cause instanceof ObjectStoreError) return cause;
  return new ObjectStoreError(`Writing ${key} got no response`, { cause });
}

function isRetryable(error: ObjectStoreError): boolean {
  if (error instanceof RefusedAddressError) return false;
  const { status } = error;
  return status === null || status === 429 || (status >= 500 && status !== 501);
}
