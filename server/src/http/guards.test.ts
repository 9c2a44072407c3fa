import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUpApp, startTestApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';
import { setUpFolder } from '../../test/folder.ts';
import { canonicalAddress, networkOf } from './guards.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s lies in %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('an address from a proxy', () => {
  test.each([
    ['203.0.113.7:1', '203.0.113.7'],
    ['203.0.113.7:65535', '203.0.113.7'],
    ['[203.0.113.7]:5000', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:5000', '203.0.113.7'],
    ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::1'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::1'],
    ['2001:DB8:1:2:0:0:0:1', '2001:db8:1:2::1'],
    ['2001:0db8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::1'],
    ['[2001:db8:1:2::1%eth0]:443', '2001:db8:1:2::1'],
  ])('%s is %s, without its port', (text, address) => {
    expect(canonicalAddress(text)).toBe(address);
    expect(networkOf(text)).toBe(networkOf(address));
  });

  test.each([
    [''],
    ['unknown'],
    ['_hidden'],
    ['_a1b2c3'],
    ['garbage'],
    ['203.0.113.7:port'],
    ['203.0.113.7:123456'],
    ['203.0.113'],
    ['203.0.113.256'],
    ['010.0.0.1'],
    ['12345'],
    ['0x7f.1'],
    ['2001:db8::1::2'],
    ['[2001:db8::1'],
    ['2001:db8::1/64'],
    ['example.com'],
  ])('%s is none and belongs to the network "unknown"', (text) => {
    expect(canonicalAddress(text)).toBeNull();
    expect(networkOf(text)).toBe('unknown');
  });

  test('is none when the text is longer than any address', () => {
    for (const text of [`fe80::1%${'z'.repeat(100)}`, '1'.repeat(8_000)]) {
      expect(networkOf(text)).toBe('unknown');
    }
  });

  test('may be missing when the connection is already closed', () => {
    expect(networkOf(undefined)).toBe('unknown');
  });
});

const SHARED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};
const DATA = {
  ...SHARED,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};
const PAGE = {
  ...SHARED,
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: https://cdn.bsky.app; font-src 'self'; " +
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), clipboard-write=(self)',
};
const ASSET = { ...DATA, 'cache-control': 'public, max-age=31536000, immutable' };

const every: readonly Endpoint[] = ENDPOINTS;
const calls = every.map(({ method, path }) => ({
  method,
  url: path.replaceAll(/\{\w+\}/gu, '0190a0a0-1111-7000-8000-000000000000'),
}));

describe('headers', () => {
  const folder = setUpFolder();
  beforeAll(async () => {
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), '<!doctype html>');
    await writeFile(join(folder, 'assets/app-A1b2C3d4.js'), 'export {}');
  });
  const api = setUpApp('embedded', { consoleDir: pathToFileURL(`${folder}/`) });

  const get = async (url: string) =>
    (await api.app.inject({ url, headers: { accept: 'text/html' } })).headers;

  test.each(calls)('of $method $url without a session', async ({ method, url }) => {
    const { headers } = await api.app.inject({ method, url });
    expect(headers).toMatchObject(DATA);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each(['/healthz', '/readyz', '/api/openapi.json', '/api/nothing', '/cdn/nothing'])(
    'of %s',
    async (url) => {
      expect(await get(url)).toMatchObject(DATA);
    },
  );

  test.each(['/', '/login', '/users', '/posts/x', '/settings', '/no-such-page'])(
    'of the page at %s',
    async (url) => {
      expect(await get(url)).toMatchObject(PAGE);
    },
  );

  test('of a hashed file, which may be cached for a year', async () => {
    expect(await get('/assets/app-A1b2C3d4.js')).toMatchObject(ASSET);
  });

  test('hold a policy in which another program finds only what we know', () => {
    const { csp } = new CspParser(PAGE['content-security-policy']);
    const findings = new CspEvaluator(csp).evaluate().map(({ directive, description }) => ({
      directive,
      description,
    }));
    // No foreign content is served from here that a browser would run.
    expect(findings).toEqual([
      {
        directive: 'script-src',
        description: expect.stringContaining("'self' can be problematic"),
      },
    ]);
  });
});

describe('hosts and origins', () => {
  const apps: TestApp[] = [];
  const start = async (env: Record<string, string> = {}) => {
    const api = await startTestApp('embedded', { env });
    apps.push(api);
    return api.app;
  };
  afterAll(() => Promise.all(apps.map((api) => api.close())));

  test('on loopback only loopback names pass', async () => {
    const app = await start();
    const statusOf = async (host: string, url = '/api/docs') =>
      (await app.inject({ url, headers: { host } })).statusCode;
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:80', '[::1]:3000', 'LOCALHOST']) {
      expect(await statusOf(host)).toBe(200);
    }
    for (const host of ['evil.example.com', 'localhost.evil.com', '127.0.0.1.evil.com', '[::2]']) {
      expect(await statusOf(host)).toBe(421);
    }
    expect(await statusOf('10.0.0.7', '/healthz')).toBe(200);
    const refused = await app.inject({ url: '/', headers: { host: 'evil.example.com' } });
    expect(refused.json()).toMatchObject({ code: 'misdirected_host' });
  });

  test('elsewhere any name passes, until names are listed', async () => {
    const open = await start({ HOST: '0.0.0.0' });
    expect(
      (await open.inject({ url: '/api/docs', headers: { host: 'any.example.com' } })).statusCode,
    ).toBe(200);
    const listed = await start({ HOST: '0.0.0.0', ALLOWED_HOSTS: 'admin.example.com' });
    const statusOf = async (host: string) =>
      (await listed.inject({ url: '/api/docs', headers: { host } })).statusCode;
    expect(await statusOf('admin.example.com:8443')).toBe(200);
    expect(await statusOf('localhost')).toBe(421);
  });

  test('other sites can change nothing', async () => {
    const app = await start();
    const response = await app.inject({
      method: 'POST',
      url: '/api/admin/auth/login',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' },
      payload: { username: 'a', password: 'b' },
    });
    expect(response.statusCode).toBe(403);
    expect(response.json().code).toBe('forbidden_origin');
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('listed origins may call, exactly as listed', async () => {
    const app = await start({ CORS_ORIGINS: 'https://admin.example.com' });
    const preflight = (origin: string) =>
      app.inject({
        method: 'OPTIONS',
        url: '/api/admin/users',
        headers: { origin, 'access-control-request-method': 'PATCH' },
      });
    const allowed = await preflight('https://admin.example.com');
    expect(allowed.statusCode).toBe(204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://admin.example.com',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    expect(allowed.headers).not.toHaveProperty('access-control-allow-credentials');
    for (const origin of [
      'https://admin.example.com.evil.com',
      'null',
      'http://admin.example.com',
    ]) {
      const refused = await preflight(origin);
      expect(refused.statusCode).toBe(404);
      expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    }
    const change = await app.inject({
      method: 'POST',
      url: '/api/admin/auth/login',
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://admin.example.com' },
      payload: { username: 'a', password: 'b' },
    });
    expect(change.statusCode).toBe(401);
  });

  test('a trusted proxy may say that the connection is encrypted', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const trusting = await start({ TRUST_PROXY: 'loopback' });
    const response = await trusting.inject({ url: '/healthz', headers });
    expect(response.headers['strict-transport-security']).toBe(
      'max-age=63072000; includeSubDomains',
    );
    const plain = await start();
    const other = await plain.inject({ url: '/healthz', headers });
    expect(other.headers).not.toHaveProperty('strict-transport-security');
  });
});
