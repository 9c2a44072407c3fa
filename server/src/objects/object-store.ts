import path from 'node:path';
import { ObjectStoreConfigError } from './errors.ts';
import { createLocalStore } from './local-store.ts';
import { publicUrls } from './public-url.ts';
import { parseS3Location } from './s3-location.ts';
import { createS3Store } from './s3-store.ts';
import type { S3Limits } from './s3-store.ts';
import type { ObjectStore } from './types.ts';

export type { ObjectStore } from './types.ts';

export type ObjectStoreConfig = {
  /** OBJECT_STORE_URL: `s3://bucket/prefix`, or null for the local folder. */
  readonly url: string | null;
  /** OBJECT_STORE_ENDPOINT: a store that speaks S3; null for AWS itself. */
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  readonly sessionToken: string | null;
  /** Whether the endpoint may lie in a private network. */
  readonly allowPrivateNetwork: boolean;
  readonly dataDir: string;
  /** `/cdn/` or the address of a content-delivery host. */
  readonly cdnBaseUrl: string;
  readonly s3Limits?: S3Limits;
};

/** Touches neither disk nor network; a setting that cannot work throws one clear sentence. */
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
    ...(config.s3Limits === undefined ? {} : { limits: config.s3Limits }),
  });
}
