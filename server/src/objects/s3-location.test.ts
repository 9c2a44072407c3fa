import { describe, expect, it } from 'vitest';
import { createObjectStore } from './object-store.ts';
import { parseS3Location, s3Url } from './s3-store.ts';

const AWS = { endpoint: null, region: 'eu-west-1', allowPrivateNetwork: false };

describe('where objects live', () => {
  it.each([
    ['s3://bucket', AWS, 'https://bucket.s3.eu-west-1.amazonaws.com/plans/a%20b.json'],
    ['s3://bucket/a/b/', AWS, 'https://bucket.s3.eu-west-1.amazonaws.com/a/b/plans/a%20b.json'],
    ['s3://my.bucket/x', AWS, 'https://s3.eu-west-1.amazonaws.com/my.bucket/x/plans/a%20b.json'],
    [
      's3://bucket',
      { ...AWS, region: 'cn-north-1' },
      'https://bucket.s3.cn-north-1.amazonaws.com.cn/plans/a%20b.json',
    ],
    [
      's3://bucket/x',
      { ...AWS, region: null, endpoint: 'http://localhost:9000' },
      'http://localhost:9000/bucket/x/plans/a%20b.json',
    ],
    [
      's3://bucket',
      { ...AWS, endpoint: 'https://objects.example/storage/s3' },
      'https://objects.example/storage/s3/bucket/plans/a%20b.json',
    ],
  ])('%s', (url, rest, expected) => {
    expect(s3Url(parseS3Location({ url, ...rest }), 'plans/a b.json').href).toBe(expected);
  });

  it.each([
    [{ url: 's3://' }, 'OBJECT_STORE_URL must look like s3://bucket/prefix'],
    [{ url: 's3://Bucket' }, 'OBJECT_STORE_URL must look like'],
    [{ url: 's3://b..b' }, 'OBJECT_STORE_URL must look like'],
    [{ url: 's3://bucket/../x' }, 'OBJECT_STORE_URL must look like'],
    [{ url: 's3://u:p@bucket/x' }, 'OBJECT_STORE_URL must look like'],
    [{ url: 'https://bucket/x' }, 'OBJECT_STORE_URL must look like'],
    [{ url: '/var/objects' }, 'OBJECT_STORE_URL must look like'],
    [{ region: null }, 'AWS_REGION is needed'],
    [{ region: 'evil.example/' }, 'AWS_REGION must look like'],
    [{ endpoint: 'http://objects.example' }, 'must use https'],
    [{ endpoint: 'http://10.0.0.1:9000' }, 'must use https'],
    [{ endpoint: 'ftp://objects.example' }, 'OBJECT_STORE_ENDPOINT must be an https address'],
    [{ endpoint: 'https://u:p@objects.example' }, 'OBJECT_STORE_ENDPOINT must be'],
    [{ endpoint: 'https://objects.example/?a=b' }, 'OBJECT_STORE_ENDPOINT must be'],
    [{ endpoint: 'objects.example' }, 'OBJECT_STORE_ENDPOINT must be'],
    [{ accessKeyId: null }, 'OBJECT_STORE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    [{ secretAccessKey: '' }, 'OBJECT_STORE_URL needs AWS_ACCESS_KEY_ID'],
  ])('refuses %j at the start, in one sentence', (wrong, sentence) => {
    const config = {
      ...AWS,
      url: 's3://bucket/prefix',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      sessionToken: null,
      dataDir: 'unused',
      cdnBaseUrl: '/cdn/',
    };
    expect(createObjectStore(config).kind).toBe('s3');
    expect(() => createObjectStore({ ...config, ...wrong })).toThrow(sentence);
  });
});
