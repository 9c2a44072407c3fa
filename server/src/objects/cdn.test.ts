import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { symlink, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../http/errors.ts';
import { cdnPlugin } from './cdn.ts';
import type { LocalStore, ObjectStore } from './objects.ts';
import { startFakeS3 } from './testing/fake-s3.ts';
import { localStoreIn, s3StoreOn, temporaryFolder } from './testing/stores.ts';

const REVISION_FILE =
  'plans/0198c0de-0000-7000-8000-000000000000/0198c0de-0000-7000-8000-000000000001.json';

let app: FastifyInstance;
let store: LocalStore;
let dataDir: string;
let cleanUp: () => Promise<void>;

async function serve(served: ObjectStore): Promise<FastifyInstance> {
  const built = Fastify({ exposeHeadRoutes: false, routerOptions: { maxParamLength: 64 } });
  built.setErrorHandler((error, request, reply) => {
    if (!(error instanceof AppError)) return reply.code(500).send({ code: 'internal' });
    const { code, message, status } = error;
    return reply.code(status).send({ code, message, requestId: request.id });
  });
  await built.register(cdnPlugin, { store: served });
  return built;
}

beforeEach(async () => {
  const temporary = await temporaryFolder();
  dataDir = temporary.folder;
  cleanUp = temporary.remove;
  store = localStoreIn(dataDir);
  app = await serve(store);
  await store.put('plans/index.json', Buffer.from('{"plans":[]}'));
  await store.put(REVISION_FILE, Buffer.from('{}'));
  await store.put('ogp-cache/été 1.png', Buffer.from('png bytes'));
  await store.put('pictures/drawing.svg', Buffer.from('<svg/>'));
  await store.put('raw/unknown.html', Buffer.from('<script>1</script>'));
});
afterEach(async () => {
  await app.close();
  await cleanUp();
});

describe('the delivery of local objects', () => {
  it('serves published plans to any site, for a minute', async () => {
    const response = await app.inject('/cdn/plans/index.json');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ plans: [] });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    });
  });

  it.each([
    ['ogp-cache/été 1.png', 'image/png', 'public, max-age=86400'],
    ['pictures/drawing.svg', 'image/svg+xml', 'public, max-age=86400'],
    ['raw/unknown.html', 'application/octet-stream', 'public, max-age=60'],
  ])('serves %s at its public address as %s', async (key, type, cacheControl) => {
    const response = await app.inject(store.publicUrl(key));
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['cache-control']).toBe(cacheControl);
    expect(response.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('serves the files of a revision to any site, for a year', async () => {
    const response = await app.inject(store.publicUrl(REVISION_FILE));
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    });
  });

  it('responds to HEAD without a body, over a real connection', async () => {
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(`${address}/cdn/pictures/drawing.svg`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('6');
    expect(await response.text()).toBe('');
    expect((await fetch(`${address}/cdn/none`, { method: 'HEAD' })).status).toBe(404);
  });

  it('responds with 304 until the content changes', async () => {
    const url = '/cdn/plans/index.json';
    const etag = String((await app.inject(url)).headers.etag);
    const ask = (ifNoneMatch: string) =>
      app.inject({ url, headers: { 'if-none-match': ifNoneMatch } });
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await ask(value);
      expect(response.statusCode).toBe(304);
      expect(response.body).toBe('');
      expect(response.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=60' });
    }
    expect((await ask('"other"')).statusCode).toBe(200);
    await store.put('plans/index.json', Buffer.from('{"plans":[1]}'));
    expect((await ask(etag)).statusCode).toBe(200);
  });

  it('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
      expect((await app.inject({ method, url: '/cdn/plans/index.json' })).statusCode).toBe(404);
    }
    expect(await store.get('plans/index.json')).not.toBeNull();
  });
});

const HOSTILE = String.raw`
  plans plans/ plans/none.json plans/index.json/ plans//index.json ../secret.txt
  plans/../../secret.txt ..%2fsecret.txt %2e%2e/secret.txt %2e%2e%2fsecret.txt .%2e/secret.txt
  %252e%252e/secret.txt ..%252fsecret.txt ..%5csecret.txt ..\secret.txt ..;/secret.txt
  plans/%2e%2e/%2e%2e/secret.txt /secret.txt //secret.txt /etc/passwd %2fetc%2fpasswd
  file:///etc/passwd C:%5cWindows%5cwin.ini plans%2findex.json plans%2Findex.json
  plans%5cindex.json plans/index.json%00 plans/index.json%00.png plans/index.json%0a %00
  .generations/ .generations/plans@x/index.json %2egenerations . .. %2e %2e%2e plans/. plans/..
  ./plans/index.json plans/./index.json link.txt folder/secret.txt .env .git/config package.json`
  .trim()
  .split(/\s+/)
  .concat('', 'x'.repeat(300), 'x/'.repeat(300));
// The router refuses these with 400, before any route is found.
const BROKEN = ['%', '%zz', '%u002e', '%ff', '..%c0%afsecret.txt', '%c0%ae%c0%ae/secret.txt'];

/** Not fetch: it would tidy the path before it sends it. */
function getRaw(port: string, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get({ port, host: '127.0.0.1', path: target }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve(`${response.statusCode} ${body}`));
    });
    request.on('error', reject);
  });
}

it('finds nothing under hostile addresses, sent as they are over a real connection', async () => {
  await writeFile(path.join(dataDir, 'secret.txt'), 'top secret');
  await symlink(path.join(dataDir, 'secret.txt'), path.join(dataDir, 'objects/link.txt'));
  await symlink(dataDir, path.join(dataDir, 'objects/folder'));
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  for (const hostile of HOSTILE) {
    const response = `${hostile}: ${await getRaw(port, `/cdn/${hostile}`)}`;
    expect(response).toContain(': 404 {"code":"not_found"');
  }
  for (const broken of BROKEN) {
    expect(await getRaw(port, `/cdn/${broken}`)).toMatch(/^40[04] \{/);
  }
});

it('serves nothing when the store is S3', async () => {
  const fake = await startFakeS3();
  const remote = s3StoreOn(fake);
  await remote.put('plans/index.json', Buffer.from('{}'));
  const elsewhere = await serve(remote);
  const response = await elsewhere.inject('/cdn/plans/index.json');
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: 'not_found', message: 'Not found' });
  expect(fake.seen).toHaveLength(1);
  await elsewhere.close();
  await fake.close();
});
