import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp, startTestApp } from '../../test/app.ts';
import { setUpFolder } from '../../test/folder.ts';

const PAGE = '<!doctype html><title>Meridian</title>';
const FILES: Record<string, string> = {
  'index.html': PAGE,
  'assets/index-A1b2C3d4.js': 'export {}',
  'assets/index-A1b2C3d4.js.br': 'script in brotli',
};

describe("the people's page", () => {
  const root = join(setUpFolder(), 'page');
  beforeAll(async () => {
    await mkdir(join(root, 'assets'), { recursive: true });
    await writeFile(`${root}-secret.txt`, 'outside');
    for (const [name, content] of Object.entries(FILES)) await writeFile(join(root, name), content);
  });
  const api = setUpApp('embedded', { peopleDir: pathToFileURL(`${root}/`) });
  const get = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url, headers });

  test.each(['/me', '/me/', '/me?error=refused'])('is served at %s, never cached', async (url) => {
    const response = await get(url, { accept: 'text/html' });
    expect([response.statusCode, response.body]).toEqual([200, PAGE]);
    expect(response.headers['cache-control']).toBe('no-store');
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test('has its files beside it, compressed and cached for good', async () => {
    const response = await get('/me/assets/index-A1b2C3d4.js', { 'accept-encoding': 'br' });
    expect(response.body).toBe('script in brotli');
    expect(response.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test.each([
    '/me/assets/none-A1b2C3d4.js',
    '/me/assets/index-A1b2C3d4.js.br',
    '/me/assets/..%2findex.html',
    '/me/assets/..%2f..%2fetc%2fpasswd',
    '/me/index.html',
    '/me/posts',
  ])('has nothing at %s', async (url) => {
    expect((await get(url, { accept: 'text/html' })).statusCode).toBe(404);
  });

  test('keeps the page of the console out of it', async () => {
    expect((await get('/menu', { accept: 'text/html' })).statusCode).toBe(503);
  });
});

test('a page that was never built says so', async () => {
  const api = await startTestApp('embedded', { peopleDir: pathToFileURL('/nowhere/') });
  const response = await api.app.inject({ url: '/me' });
  await api.close();
  expect(response.statusCode).toBe(503);
  expect(response.body).toContain('npm start');
});
