import http from 'node:http';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createObjectStore } from './object-store.ts';
import { OBJECT_MAX_BYTES, ObjectTooLargeError } from './objects.ts';
import type { ObjectStore } from './objects.ts';
import { createS3Store, parseS3Location, s3Url } from './s3-store.ts';
import { startFakeS3 } from './testing/fake-s3.ts';
import type { FakeS3, Fault } from './testing/fake-s3.ts';
import { QUICK, s3StoreOn } from './testing/stores.ts';

const text = (value: string): Buffer => Buffer.from(value);

describe('s3 store', () => {
  let fake: FakeS3;
  let store: ObjectStore;

  beforeEach(async () => {
    fake = await startFakeS3();
    store = s3StoreOn(fake);
  });
  afterEach(() => fake.close());

  describe('the S3 store', () => {
    const KEYS = ['plans/index.json', "odd/é (1)+&=~*'!.png", 'odd/a%2Fb#?.svg', 'z'];

    it.each(KEYS)('puts %s under its prefix', async (key) => {
      await store.put(key, text('bytes'));
      expect(fake.refused).toEqual([]);
      expect([...fake.objects.keys()]).toEqual([`site/${key}`]);
      expect(fake.objects.get(`site/${key}`)?.bytes.toString()).toBe('bytes');
    });

    it('sends content type and cache life, and names the public address', async () => {
      await store.put('plans/index.json', text('{}'));
      await store.put('pictures/a b.webp', text('x'));
      expect(fake.objects.get('site/plans/index.json')?.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=60',
      });
      expect(fake.objects.get('site/pictures/a b.webp')?.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=86400',
      });
      expect(store.publicUrl('pictures/a b.webp')).toBe(
        'https://cdn.example/files/pictures/a%20b.webp',
      );
    });

    it('deletes one object, also when it is gone already', async () => {
      await store.put('media/a.png', text('a'));
      await store.put('media/b.png', text('b'));
      await store.delete('media/a.png');
      await store.delete('media/a.png');
      expect([...fake.objects.keys()]).toEqual(['site/media/b.png']);
      fake.fault = () => ({ kind: 'status', status: 403, code: 'AccessDenied' });
      await expect(store.delete('media/b.png')).rejects.toThrow('403');
    });

    it('signs with temporary credentials', async () => {
      const strict = await startFakeS3({ sessionToken: 'a/token+' });
      await s3StoreOn(strict).put('a.json', text('{}'));
      expect(strict.refused).toEqual([]);
      expect(strict.objects.size).toBe(1);
      await strict.close();
    });

    it('writes an empty object', async () => {
      await store.put('empty.txt', text(''));
      expect(fake.objects.get('site/empty.txt')?.bytes).toHaveLength(0);
    });

    it.each(KEYS)('gets %s', async (key) => {
      await store.put(key, text('bytes'));
      const found = await store.get(key);
      expect(Buffer.from(found?.bytes ?? []).toString()).toBe('bytes');
      expect(await store.get(`${key}.other`)).toBeNull();
      expect(fake.refused).toEqual([]);
    });

    it('reads nothing of an object that is larger than asked for', async () => {
      await store.put('a.png', Buffer.alloc(11));
      expect((await store.get('a.png', 11))?.bytes).toHaveLength(11);
      await expect(store.get('a.png', 10)).rejects.toBeInstanceOf(ObjectTooLargeError);
      expect(fake.seen).toHaveLength(3);
    });

    it('refuses bad keys and oversized bodies before it sends anything', async () => {
      await expect(store.put('../x', text('x'))).rejects.toThrow('Not an object key');
      await expect(store.put('/x', text('x'))).rejects.toThrow('Not an object key');
      await expect(store.put('a//b', text('x'))).rejects.toThrow('Not an object key');
      await expect(store.get('../x')).rejects.toThrow('Not an object key');
      await expect(store.put('a', Buffer.alloc(OBJECT_MAX_BYTES + 1))).rejects.toThrow('too large');
      expect(fake.seen).toEqual([]);
    });
  });

  describe('the fake server itself', () => {
    it('refuses unsigned, tampered and wrongly keyed requests', async () => {
      expect((await fetch(`${fake.endpoint}/${fake.bucket}/site/a`)).status).toBe(403);
      const wrongSecret = { ...fake, credentials: { ...fake.credentials, secretAccessKey: 'no' } };
      await expect(s3StoreOn(wrongSecret).put('a', text('x'))).rejects.toThrow(
        'SignatureDoesNotMatch',
      );
      const wrongRegion = { ...fake, credentials: { ...fake.credentials, region: 'us-test-1' } };
      await expect(s3StoreOn(wrongRegion).put('a', text('x'))).rejects.toThrow('403');
      expect(fake.refused).toEqual([
        'AccessDenied',
        'SignatureDoesNotMatch',
        'AuthorizationHeaderMalformed',
      ]);
      expect(fake.objects.size).toBe(0);
    });
  });

  /** The fault for the first so many requests, then none. */
  function firstRequests(count: number, fault: Fault): void {
    let left = count;
    fake.fault = () => {
      left -= 1;
      return left >= 0 ? fault : null;
    };
  }

  describe('faults of the S3 store', () => {
    it.each<[string, Fault]>([
      ['500', { kind: 'status', status: 500 }],
      ['503', { kind: 'status', status: 503, code: 'SlowDown' }],
      ['429', { kind: 'status', status: 429 }],
      ['a cut connection', { kind: 'drop' }],
      ['a lost response', { kind: 'drop-after' }],
    ])('retries after %s and succeeds at the third attempt', async (_name, fault) => {
      firstRequests(2, fault);
      await store.put('a.json', text('x'));
      expect(fake.seen).toHaveLength(3);
      expect(fake.refused).toEqual([]);
      expect(fake.objects.get('site/a.json')?.bytes.toString()).toBe('x');
    });

    it.each<[string, Fault, number]>([
      ['500 for good', { kind: 'status', status: 500 }, 3],
      ['403', { kind: 'status', status: 403, code: 'AccessDenied' }, 1],
      ['400', { kind: 'status', status: 400 }, 1],
      ['501', { kind: 'status', status: 501 }, 1],
      ['a bucket that is not there', { kind: 'status', status: 404, code: 'NoSuchBucket' }, 1],
    ])('gives up on %s', async (_name, fault, attempts) => {
      fake.fault = () => fault;
      await expect(store.put('a.json', text('x'))).rejects.toMatchObject({
        name: 'ObjectStoreError',
        status: 'status' in fault ? fault.status : null,
      });
      expect(fake.seen).toHaveLength(attempts);
    });

    it.each<[string, Fault, string]>([
      ['a 500 for good', { kind: 'status', status: 500 }, 'status 500'],
      ['a bucket that is not there', { kind: 'status', status: 404, code: 'NoSuchBucket' }, '404'],
      ['a cut connection', { kind: 'drop' }, 'got no response'],
    ])('does not take %s for an absent or empty object', async (_name, fault, message) => {
      fake.fault = () => fault;
      await expect(store.get('a.png', 1000)).rejects.toThrow(message);
    });

    it('does not read an object without a length', async () => {
      fake.fault = () => ({ kind: 'huge' });
      expect(await store.get('a.png', 1000)).toBeNull();
      expect(fake.seen).toHaveLength(1);
    });

    it('never follows a redirect', async () => {
      const visits: string[] = [];
      const trap = http.createServer((request, response) => {
        visits.push(request.url ?? '');
        response.end('trapped');
      });
      await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
      const address = trap.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      fake.fault = () => ({ kind: 'redirect', to: `http://127.0.0.1:${port}/latest/meta-data` });
      await expect(store.put('a.json', text('x'))).rejects.toThrow('307');
      expect(visits).toEqual([]);
      expect(fake.seen).toHaveLength(1);
      await new Promise((resolve) => trap.close(resolve));
    });

    it.each<[string, Fault]>([
      ['drips', { kind: 'drip' }],
      ['says nothing', { kind: 'hang' }],
    ])('ends in time when the store %s', async (_name, fault) => {
      const hasty = s3StoreOn(fake, { limits: { ...QUICK, totalTimeoutMs: 150 } });
      fake.fault = () => fault;
      await expect(hasty.put('a.json', text('x'))).rejects.toThrow('got no response');
    });

    it('ends when the caller aborts', async () => {
      const caller = new AbortController();
      fake.fault = () => {
        caller.abort();
        return { kind: 'hang' };
      };
      const { signal } = caller;
      await expect(store.put('a.json', text('x'), { signal })).rejects.toThrow('got no response');
      expect(fake.seen).toHaveLength(1);
    });

    it('stops reading an endless response', async () => {
      fake.fault = () => ({ kind: 'huge' });
      await expect(store.put('a.json', text('x'))).rejects.toThrow('got no response');
      expect(fake.seen).toHaveLength(3);
    });

    it('reports a refused connection', async () => {
      const gone = await startFakeS3();
      await gone.close();
      await expect(s3StoreOn(gone).put('a.json', text('x'))).rejects.toThrow('got no response');
    });

    it('refuses to speak TLS with what is none', async () => {
      const secure = s3StoreOn({ ...fake, endpoint: fake.endpoint.replace('http:', 'https:') });
      await expect(secure.put('a.json', text('x'))).rejects.toThrow('got no response');
      expect(fake.seen).toEqual([]);
    });

    it('gives up on a server that never completes a TLS handshake', async () => {
      // Accepts, and never says a word of TLS.
      const mute = net.createServer();
      await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
      const address = mute.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const sockets: net.Socket[] = [];
      mute.on('connection', (socket) => sockets.push(socket));
      const limits = { ...QUICK, connectTimeoutMs: 50 };
      const secure = s3StoreOn({ ...fake, endpoint: `https://127.0.0.1:${port}` }, { limits });
      const error: unknown = await secure
        .put('a.json', text('x'))
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ cause: { name: 'ConnectTimeoutError' } });
      await expect.poll(() => sockets.length).toBe(3);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => mute.close(resolve));
    });

    it('does not connect to a public name that resolves to this machine, and does not retry', async () => {
      const { port } = new URL(fake.endpoint);
      const rebound = createS3Store({
        location: {
          bucketUrl: new URL(`http://localhost:${port}/${fake.bucket}/`),
          keyPrefix: '',
          region: fake.credentials.region,
          addresses: 'public',
        },
        credentials: fake.credentials,
        publicUrl: (key) => key,
        limits: { ...QUICK, firstBackoffMs: 60_000 },
      });
      await expect(rebound.put('a.json', text('x'))).rejects.toThrow('localhost resolves to');
      expect(fake.seen).toEqual([]);
    });

    it('keeps secrets out of its messages', async () => {
      fake.fault = () => ({ kind: 'status', status: 403, code: 'AccessDenied' });
      const error: unknown = await store
        .put('a.json', text('x'))
        .catch((reason: unknown) => reason);
      expect(String(error)).toContain('AccessDenied');
      expect(String(error)).not.toContain(fake.credentials.secretAccessKey);
      expect(String(error)).not.toContain('Signature=');
    });
  });
});

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
