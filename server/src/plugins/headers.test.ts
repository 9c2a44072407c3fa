import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { setUpFolder } from '../../test/folder.ts';

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
