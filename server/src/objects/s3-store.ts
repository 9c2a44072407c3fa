import { cacheControlOf, contentTypeOf, OBJECT_MAX_BYTES } from './delivery.ts';
import { ObjectStoreError } from './errors.ts';
import { assertObjectKey } from './object-key.ts';
import { refusal } from './s3-answers.ts';
import { createS3Client, S3_LIMITS } from './s3-client.ts';
import type { S3Limits } from './s3-client.ts';
import { s3Url } from './s3-location.ts';
import type { S3Location } from './s3-location.ts';
import type { Credentials } from './sigv4.ts';
import type { S3Store } from './types.ts';

export type S3StoreOptions = {
  readonly location: S3Location;
  readonly credentials: Credentials;
  readonly publicUrl: (key: string) => string;
  readonly limits?: S3Limits;
};

/** Any store that speaks S3. Needs the right to put objects under its prefix, and no other. */
export function createS3Store(options: S3StoreOptions): S3Store {
  const { location } = options;
  const call = createS3Client(location, options.credentials, options.limits ?? S3_LIMITS);

  return {
    kind: 's3',
    publicUrl: options.publicUrl,

    async put(key, bytes, { signal } = {}) {
      assertObjectKey(key);
      if (bytes.byteLength > OBJECT_MAX_BYTES) throw new ObjectStoreError(`${key} is too large`);
      const answer = await call({
        method: 'PUT',
        url: s3Url(location, key),
        signedHeaders: { 'content-type': contentTypeOf(key) },
        otherHeaders: { 'cache-control': cacheControlOf(key) },
        body: bytes,
        signal,
      });
      if (answer.status !== 200) throw refusal(`Writing ${key}`, answer);
    },
  };
}
