import { describe, expect, it } from 'vitest';
import { sha256Hex } from './sha256.ts';
import { signS3Request } from './sigv4.ts';

// The examples that AWS publishes under 'Signature Calculations for the Authorization Header'.
const PUBLISHED = {
  region: 'us-east-1',
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  },
  now: new Date('2013-05-24T00:00:00Z'),
};
const EMPTY = sha256Hex('');

const VECTORS = [
  {
    name: 'GET Object',
    method: 'GET',
    path: '/test.txt',
    headers: { range: 'bytes=0-9' },
    payload: EMPTY,
    signedHeaders: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT Object',
    method: 'PUT',
    path: '/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    payload: sha256Hex('Welcome to Amazon S3.'),
    signedHeaders: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    name: 'GET Bucket Lifecycle',
    method: 'GET',
    path: '/?lifecycle',
    headers: {},
    payload: EMPTY,
    signedHeaders: 'host;x-amz-content-sha256;x-amz-date',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    name: 'GET Bucket (List Objects), query out of order',
    method: 'GET',
    path: '/?prefix=J&max-keys=2',
    headers: {},
    payload: EMPTY,
    signedHeaders: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
];

describe('AWS Signature Version 4', () => {
  it.each(VECTORS)('signs the published example $name', (vector) => {
    const { authorization } = signS3Request({
      ...PUBLISHED,
      method: vector.method,
      url: new URL(`https://examplebucket.s3.amazonaws.com${vector.path}`),
      headers: vector.headers,
      payloadSha256: vector.payload,
    });
    expect(authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
        `SignedHeaders=${vector.signedHeaders},Signature=${vector.signature}`,
    );
  });

  it('signs a session token along, and never sends the secret', () => {
    const headers = signS3Request({
      ...PUBLISHED,
      credentials: { ...PUBLISHED.credentials, sessionToken: 'a-token' },
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      headers: {},
      payloadSha256: EMPTY,
    });
    expect(headers['x-amz-security-token']).toBe('a-token');
    expect(headers['authorization']).toContain('x-amz-date;x-amz-security-token,');
    expect(JSON.stringify(headers)).not.toContain('wJalrXUtn');
  });
});
