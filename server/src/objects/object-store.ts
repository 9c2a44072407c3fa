import path from 'node:path';
import { createLocalStore } from './local-store.ts';
import { ObjectStoreConfigError, ObjectStoreError, assertObjectKey, encodeKey } from './objects.ts';
import type { ObjectStore } from './objects.ts';
import { createS3Store, isPlainAddress, parseS3Location } from './s3-store.ts';
import type { S3Limits } from './s3-store.ts';

export type ObjectStoreConfig = {
  readonly url: string | null;
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  readonly sessionToken: string | null;
  readonly allowPrivateNetwork: boolean;
  readonly dataDir: string;
  readonly cdnBaseUrl: string;
  readonly s3Limits?: S3Limits;
};

export function createObjectStore(config: ObjectStoreConfig): ObjectStore {
  const publicUrl = publicUrls(config.cdnBaseUrl);
  const { url, accessKeyId, secretAccessKey, sessionToken } = config;
  if (url === null) {
    return createLocalStore({ root: path.join(config.dataDir, 'objects'), publicUrl });
  }
  if (!accessKeyId || !secretAccessKey) {
    throw new ObjectStoreConfigError(
      'OBJECT_STORE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  return createS3Store({
    location: parseS3Location({ ...config, url }),
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    publicUrl,
    limits: config.s3Limits,
  });
}

/** Only other settings help against these codes of S3. */
const FINAL = {
  NoSuchBucket: 'OBJECT_STORE_URL names a bucket that does not exist; create it or name another.',
  InvalidAccessKeyId: 'The object store does not know the key of AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'The object store refuses the secret of AWS_SECRET_ACCESS_KEY.',
};
/** A start waits for the probe. */
const PROBE_LIMITS: S3Limits = {
  connectTimeoutMs: 3_000,
  totalTimeoutMs: 3_000,
  attempts: 1,
  firstBackoffMs: 0,
};

/** A failure is returned when it may pass, or be a right to read that the key does not have. */
export async function probeObjectStore(
  config: ObjectStoreConfig,
): Promise<ObjectStoreError | null> {
  if (config.url === null) return null;
  try {
    await createObjectStore({ ...config, s3Limits: PROBE_LIMITS }).get('plans/index.json');
    return null;
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    for (const [code, sentence] of Object.entries(FINAL)) {
      if (error.message.endsWith(`(${code})`)) throw new ObjectStoreConfigError(sentence);
    }
    return error;
  }
}

export function publicUrls(cdnBaseUrl: string): (key: string) => string {
  const base = cdnBaseUrl.endsWith('/') ? cdnBaseUrl : `${cdnBaseUrl}/`;
  // `//host/` would be another host.
  const isPath = /^\/(?!\/)[^?#\\]*$/.test(base);
  const address = URL.parse(base);
  if (!isPath && (address === null || !isPlainAddress(address))) {
    throw new ObjectStoreConfigError('CDN_BASE_URL must be an http or https address');
  }
  return (key) => {
    assertObjectKey(key);
    return base + encodeKey(key);
  };
}
