import { cacheControlOf, contentTypeOf, OBJECT_MAX_BYTES } from './delivery.ts';
import { ObjectStoreError } from './errors.ts';
import { assertKeyPrefix, assertObjectKey } from './object-key.ts';
import { parseListPage, refusal, s3Code } from './s3-answers.ts';
import { createS3Client, S3_LIMITS } from './s3-client.ts';
import type { S3Limits } from './s3-client.ts';
import { s3Url } from './s3-location.ts';
import type { S3Location } from './s3-location.ts';
import type { Credentials } from './sigv4.ts';
import type { ObjectStore } from './types.ts';

/** A thousand keys each; a bucket with more than this under our prefix is not ours. */
const LIST_MAX_PAGES = 50;

export type S3StoreOptions = {
  readonly location: S3Location;
  readonly credentials: Credentials;
  readonly publicUrl: (key: string) => string;
  readonly limits?: S3Limits;
};

/** Any store that speaks S3. Needs the rights to get, put, delete and list under its prefix. */
export function createS3Store(options: S3StoreOptions): ObjectStore {
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

    async get(key, { signal } = {}) {
      assertObjectKey(key);
      const answer = await call({ method: 'GET', url: s3Url(location, key), signal });
      if (answer.status === 200) return { bytes: answer.body, contentType: contentTypeOf(key) };
      // A missing bucket is 404 too, and must not look like a missing file.
      if (answer.status === 404 && s3Code(answer) === 'NoSuchKey') return null;
      throw refusal(`Reading ${key}`, answer);
    },

    async remove(key, { signal } = {}) {
      assertObjectKey(key);
      const answer = await call({ method: 'DELETE', url: s3Url(location, key), signal });
      const isGone = answer.status === 204 || answer.status === 200;
      if (isGone || (answer.status === 404 && s3Code(answer) === 'NoSuchKey')) return;
      throw refusal(`Removing ${key}`, answer);
    },

    async list(prefix, { signal } = {}) {
      assertKeyPrefix(prefix);
      const keys: string[] = [];
      let next: string | null = null;
      for (let page = 0; page < LIST_MAX_PAGES; page += 1) {
        const query: Record<string, string> = {
          'list-type': '2',
          prefix: location.keyPrefix + prefix,
          ...(next === null ? {} : { 'continuation-token': next }),
        };
        const answer = await call({ method: 'GET', url: s3Url(location, '', query), signal });
        if (answer.status !== 200) throw refusal(`Listing ${prefix}`, answer);
        const found = parseListPage(answer.body.toString('utf8'));
        keys.push(...found.keys.map((key) => key.slice(location.keyPrefix.length)));
        next = found.next;
        if (next === null) return keys.toSorted();
      }
      throw new ObjectStoreError(`More than ${LIST_MAX_PAGES} pages of keys under ${prefix}`);
    },
  };
}
