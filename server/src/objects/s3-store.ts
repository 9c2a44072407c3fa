import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { guardedLookup, mayConnect } from '../http/guarded-fetch.ts';
import type { AddressPolicy } from '../http/guarded-fetch.ts';
import {
  OBJECT_MAX_BYTES,
  ObjectStoreConfigError,
  ObjectStoreError,
  ObjectTooLargeError,
  RefusedAddressError,
  assertObjectKey,
  cacheControlOf,
  contentTypeOf,
  encodeKey,
  isObjectKey,
} from './objects.ts';
import type { S3Store } from './objects.ts';

export type S3Limits = {
  readonly connectTimeoutMs: number;
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
const RESPONSE_MAX_BYTES = 64 * 1024;

type S3StoreOptions = {
  readonly location: S3Location;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string | null;
  };
  readonly publicUrl: (key: string) => string;
  readonly limits?: S3Limits | undefined;
};

type Call = {
  method: 'GET' | 'PUT' | 'DELETE';
  key: string;
  bytes?: Uint8Array;
  signal: AbortSignal;
};

/** The key needs the right to put, get and delete objects under the prefix only. */
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
      // cache-control is not signed, because proxies on the way may rewrite it.
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
    assertObjectKey(key);
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
      if (bytes.byteLength > OBJECT_MAX_BYTES) throw new ObjectTooLargeError(key);
      await withRetries(key, signal, async (ended) => {
        const { statusCode, body } = await call({ method: 'PUT', key, bytes, signal: ended });
        const text = await body.text();
        if (statusCode !== 200) throw refusal(key, statusCode, text);
      });
    },

    async delete(key) {
      await withRetries(key, undefined, async (signal) => {
        const { statusCode, body } = await call({ method: 'DELETE', key, signal });
        const text = await body.text();
        const isGone = statusCode === 200 || statusCode === 204 || text.includes('NoSuchKey');
        if (!isGone) throw refusal(key, statusCode, text);
      });
    },

    async get(key, maxBytes = OBJECT_MAX_BYTES) {
      return withRetries(key, undefined, async (signal) => {
        const { statusCode, headers, body } = await call({ method: 'GET', key, signal });
        const size = Number(headers['content-length']);
        // A store that names no length is not trusted with the memory.
        if (statusCode === 200 && !(size <= maxBytes)) {
          body.on('error', () => {}).destroy();
          if (size <= OBJECT_MAX_BYTES) throw new ObjectTooLargeError(key);
          return null;
        }
        const bytes = await body.bytes();
        if (statusCode === 200) return { bytes, contentType: contentTypeOf(key) };
        const error = refusal(key, statusCode, new TextDecoder().decode(bytes));
        // A missing bucket is a fault of the settings.
        if (statusCode === 404 && error.message.includes('NoSuchKey')) return null;
        throw error;
      });
    },
  };
}

/** Nothing of the response but S3's error code is named. */
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

type S3Location = {
  readonly bucketUrl: URL;
  readonly keyPrefix: string;
  readonly region: string;
  readonly addresses: AddressPolicy;
};

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const ENDPOINT_PATH = /^[\w.~/-]*$/;
const DEFAULT_REGION = 'us-east-1';

export function parseS3Location(config: {
  url: string;
  endpoint: string | null;
  region: string | null;
  allowPrivateNetwork: boolean;
}): S3Location {
  const { bucket, keyPrefix } = parseStoreUrl(config.url);
  if (config.region !== null && !REGION.test(config.region)) {
    throw new ObjectStoreConfigError('AWS_REGION must look like eu-west-1');
  }
  const region = config.region ?? DEFAULT_REGION;
  if (config.endpoint !== null) {
    const endpoint = parseEndpoint(config.endpoint, config.allowPrivateNetwork);
    // A self-hosted store seldom has a host name per bucket, so the bucket goes into the path.
    return { ...endpoint, bucketUrl: new URL(`${bucket}/`, endpoint.bucketUrl), keyPrefix, region };
  }
  if (config.region === null) {
    throw new ObjectStoreConfigError('AWS_REGION is needed when OBJECT_STORE_URL is set');
  }
  const addresses = config.allowPrivateNetwork ? 'public-or-private' : 'public';
  return { bucketUrl: awsBucketUrl(bucket, region), keyPrefix, region, addresses };
}

function parseStoreUrl(url: string): { bucket: string; keyPrefix: string } {
  const parts = /^s3:\/\/([^/]+)(?:\/(.*?)\/?)?$/.exec(url);
  const [bucket = '', prefix = ''] = [parts?.[1], parts?.[2]];
  if (!BUCKET.test(bucket) || bucket.includes('..') || (prefix !== '' && !isObjectKey(prefix))) {
    throw new ObjectStoreConfigError('OBJECT_STORE_URL must look like s3://bucket/prefix');
  }
  return { bucket, keyPrefix: prefix === '' ? '' : `${prefix}/` };
}

function awsBucketUrl(bucket: string, region: string): URL {
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // The certificate covers one label only, so a bucket with a dot in its name goes into the path.
  return new URL(
    bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`,
  );
}

function parseEndpoint(
  endpoint: string,
  allowPrivateNetwork: boolean,
): { bucketUrl: URL; addresses: AddressPolicy } {
  const url = URL.parse(endpoint.endsWith('/') ? endpoint : `${endpoint}/`);
  if (url === null || !isPlainAddress(url) || !ENDPOINT_PATH.test(url.pathname)) {
    throw new ObjectStoreConfigError('OBJECT_STORE_ENDPOINT must be an https address');
  }
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const isLoopback = host === 'localhost' || mayConnect('loopback', host);
  if (url.protocol === 'http:' && !isLoopback) {
    throw new ObjectStoreConfigError(
      'OBJECT_STORE_ENDPOINT must use https, except on this machine',
    );
  }
  const addresses = isLoopback ? 'loopback' : allowPrivateNetwork ? 'public-or-private' : 'public';
  // A literal address never passes through the guarded look-up.
  if (isIP(host) !== 0 && !mayConnect(addresses, host)) {
    throw new ObjectStoreConfigError(
      'OBJECT_STORE_ENDPOINT is an address that is not allowed; a store in a private network needs OBJECT_STORE_ALLOW_PRIVATE',
    );
  }
  return { bucketUrl: url, addresses };
}

export function isPlainAddress({ protocol, username, password, search, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

export function s3Url(location: S3Location, key: string): URL {
  return new URL(location.bucketUrl.href + encodeKey(location.keyPrefix + key));
}
