import { isIP } from 'node:net';
import { mayConnect } from './address-guard.ts';
import type { AddressPolicy } from './address-guard.ts';
import { ObjectStoreConfigError } from './errors.ts';
import { encodeKey, isObjectKey } from './object-key.ts';

export type S3LocationConfig = {
  /** `s3://bucket/prefix` */
  readonly url: string;
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly allowPrivateNetwork: boolean;
};

export type S3Location = {
  /** The address of the bucket itself; ends in a slash. */
  readonly bucketUrl: URL;
  /** In front of every key: empty, or ending in a slash. */
  readonly keyPrefix: string;
  readonly region: string;
  readonly addresses: AddressPolicy;
};

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const ENDPOINT_PATH = /^[\w.~/-]*$/;
const DEFAULT_REGION = 'us-east-1';

export function parseS3Location(config: S3LocationConfig): S3Location {
  const { bucket, keyPrefix } = parseStoreUrl(config.url);
  if (config.region !== null && !REGION.test(config.region)) {
    throw new ObjectStoreConfigError('AWS_REGION must look like eu-west-1');
  }
  const region = config.region ?? DEFAULT_REGION;
  if (config.endpoint !== null) {
    const endpoint = parseEndpoint(config.endpoint, config.allowPrivateNetwork);
    // Path style: a self-hosted store seldom has a host name per bucket.
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
  if (url === null || !isPlainAddress(url)) {
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

function isPlainAddress(url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.search === '' && url.hash === '' && ENDPOINT_PATH.test(url.pathname);
}

export function s3Url(location: S3Location, key: string): URL {
  return new URL(location.bucketUrl.href + encodeKey(location.keyPrefix + key));
}
