import { pageConfig } from '@meridian/contract/page-config';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp, startTestApp } from '../../test/app.ts';
import { setUpFolder } from '../../test/folder.ts';
import { readConfig } from '../config.ts';
import { configuredPage, pageConfigOf } from './pages.ts';

const LONG = `page-${'x'.repeat(80)}-B1c2D3e4.js`;
const PAGE =
  '<!doctype html><meta name="meridian-config" content="CONFIG" /><title>Meridian</title>';
const FILES: Record<string, string> = {
  'index.html': PAGE.replace('CONFIG', ''),
  'index.html.br': 'page in brotli',
  'index.html.gz': 'page in gzip',
  'favicon.svg': '<svg/>',
  'robots.txt': 'User-agent: *',
  'assets/app-A1b2C3d4.js': 'export {}',
  'assets/app-A1b2C3d4.js.br': 'script in brotli',
  'assets/app-A1b2C3d4.js.gz': 'script in gzip',
  'assets/inter-Z9.woff2': 'font',
  [`assets/${LONG}`]: 'export {}',
};

const IMAGE_SOURCES = [
  'http://cdn.localhost:9000',
  'https://cdn.bsky.app',
  'https://images.example.com',
  'https://*.photos.example.net',
];
const CONFIG = {
  cdnBaseUrl: 'http://cdn.localhost:9000/x/',
  imageSources: IMAGE_SOURCES,
  canLoadPictures: false,
  networkUrl: '/local-network',
  passwordMinLength: 8,
};
const SERVED = PAGE.replace('CONFIG', JSON.stringify(CONFIG).replaceAll('"', '&quot;'));

describe('the console', () => {
  const root = setUpFolder();
  beforeAll(async () => {
    await mkdir(join(root, 'dist/assets'), { recursive: true });
    await writeFile(join(root, 'secret.txt'), 'outside');
    for (const [name, content] of Object.entries(FILES)) {
      await writeFile(join(root, 'dist', name), content);
    }
  });
  const api = setUpApp('embedded', {
    consoleDir: pathToFileURL(`${root}/dist/`),
    env: {
      CDN_BASE_URL: 'http://cdn.localhost:9000/x',
      IMAGE_HOSTS: 'images.example.com,*.photos.example.net',
      VITE_API_BASE_URL: 'https://api.example.test/v1',
    },
  });

  const get = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ method: 'GET', url, headers });
  const listening = async () => {
    if (!api.app.server.listening) await api.app.listen({ port: 0, host: '127.0.0.1' });
    const address = api.app.server.address();
    if (address === null || typeof address === 'string') throw new Error('It listens nowhere');
    return address;
  };
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each([
    '/',
    '/login',
    '/users/a.b/c',
    '/API/x',
    '/posts?page=/.3',
    '/plans/create',
    '/index.html',
  ])('serves its page at %s, never cached', async (url) => {
    const response = await get(url, html);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(SERVED);
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      vary: 'Accept-Encoding',
    });
    const policy = response.headers['content-security-policy'];
    expect(policy).toContain(`img-src 'self' blob: ${IMAGE_SOURCES.join(' ')};`);
    expect(policy).toContain("connect-src 'self' https://api.example.test;");
  });

  test.each(['/%E0%A4%A', '/users/%', '/posts/%zz?page=2'])(
    'leaves it to its page to say that there is nothing at %s',
    async (url) => {
      const response = await get(url, html);
      expect([response.statusCode, response.body]).toEqual([200, SERVED]);
      expect((await get(url, { accept: 'application/json' })).statusCode).toBe(404);
    },
  );

  test.each([
    '/api/nothing',
    '/api/nothing/%E0%A4%A',
    '/cdn/%zz',
    '/assets/%',
    '/api',
    '/cdn/none.png',
    '/assets/old-0000.js',
    '/assets/',
    '/xrpc',
    '/xrpc/nodot',
    '/.git/config',
    '/.env',
    '/.env?page=2',
    '/users/.htaccess',
    '/.git/%zz',
    '/users/%2Egit/config',
    '/users%2f.git/config',
    '/users%5C.git/config',
  ])('does not serve its page at %s', async (url) => {
    expect((await get(url, html)).statusCode).toBe(404);
  });

  test.each(['/%2e%2e/%2e%2e/etc/passwd', '/../../etc/passwd', '/users/..'])(
    'nor %s, which only a raw request can ask for',
    async (path) => {
      // Whatever knows what an address is resolves these before it asks.
      const { port } = await listening();
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const asked = request({ port, path, headers: html }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.on('error', reject).end();
      });
      expect(status).toBe(404);
    },
  );

  test('serves its page to requests that accept HTML, or anything', async () => {
    expect((await get('/login')).statusCode).toBe(200);
    expect((await get('/login', { accept: '*/*' })).statusCode).toBe(200);
    expect((await get('/missing.png', { accept: 'image/png,*/*;q=0.8' })).statusCode).toBe(404);
    expect((await get('/users', { accept: 'application/json' })).statusCode).toBe(404);
    const posted = await api.app.inject({ method: 'POST', url: '/users', headers: html });
    expect(posted.statusCode).toBe(404);
  });

  test('lets browsers cache hashed files for a year', async () => {
    const response = await get('/assets/app-A1b2C3d4.js');
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
      vary: 'accept-encoding',
    });
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect((await get('/assets/inter-Z9.woff2')).headers['content-type']).toBe('font/woff2');
    expect((await get(`/assets/${LONG}`)).statusCode).toBe(200);
  });

  test.each([
    ['gzip, deflate, br', 'br', 'script in brotli'],
    ['gzip', 'gzip', 'script in gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'script in gzip'],
    ['br;q=0.0', undefined, 'export {}'],
    ['identity', undefined, 'export {}'],
    ['', undefined, 'export {}'],
  ])('to %j sends %s', async (accept, encoding, body) => {
    const response = await get('/assets/app-A1b2C3d4.js', { 'accept-encoding': accept });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.body).toBe(body);
    expect(response.headers['content-length']).toBe(String(body.length));
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('its page knows of this server in %s too', async (encoding, unpack) => {
    const response = await get('/', { ...html, 'accept-encoding': encoding });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(unpack(response.rawPayload).toString()).toBe(SERVED);
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length));
  });

  test('does not serve the compressed forms by themselves', async () => {
    expect((await get('/assets/app-A1b2C3d4.js.br')).statusCode).toBe(404);
  });

  test('asks to check other files again, and says when they are unchanged', async () => {
    const first = await get('/favicon.svg');
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'image/svg+xml',
    });
    const again = await get('/favicon.svg', { 'if-none-match': String(first.headers['etag']) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  test('responds to HEAD like to GET, without the content', async () => {
    for (const url of ['/login', '/assets/app-A1b2C3d4.js']) {
      const whole = await get(url, html);
      const head = await api.app.inject({ method: 'HEAD', url, headers: html });
      expect(head.statusCode).toBe(200);
      expect(head.body).toBe('');
      expect(head.headers['content-length']).toBe(whole.headers['content-length']);
    }
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%5c..%5c..%5csecret.txt',
    '//secret.txt',
  ])('does not leave its folder for %s', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    expect(response.body).not.toContain('outside');
  });
});

const textOf = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the settings within the page of the console', () => {
  const CONFIG = {
    cdnBaseUrl: `https://cdn.example/"><script>'$&$1</script>&amp;/`,
    imageSources: ['https://cdn.example'],
    canLoadPictures: true,
    networkUrl: 'https://network.example',
    passwordMinLength: 12,
  };

  test("the console's own page has room for it, whatever the values are", async () => {
    const source = await readFile(new URL('../../../console/index.html', import.meta.url), 'utf8');
    const html = configuredPage(source, CONFIG);
    const [, content = ''] =
      /<meta name="meridian-config" content="([^"<>]*)" \/>/.exec(html) ?? [];
    expect(pageConfig.parse(JSON.parse(textOf(content)))).toEqual(CONFIG);
    expect(html.replace(content, '')).toBe(source);
  });

  test('a page without room for it stays as it is', () => {
    const html = '<!doctype html><title>An older build</title>';
    expect(configuredPage(html, CONFIG)).toBe(html);
  });

  test.each([
    [{}, 8],
    [{ PASSWORD_MIN_LENGTH: '12' }, 12],
    // Passwords are then those of another server.
    [{ PASSWORD_MIN_LENGTH: '12', UPSTREAM_API: 'https://api.example.com' }, 8],
    [{ PASSWORD_MIN_LENGTH: '12', VITE_API_BASE_URL: 'https://api.example.com' }, 8],
  ])('the fewest characters of a password, with %j', (env, expected) => {
    expect(pageConfigOf(readConfig(env)).passwordMinLength).toBe(expected);
  });
});

test.each(['/', '/me'])('the page at %s says when it was never built', async (url) => {
  const api = await startTestApp('embedded', { meDir: pathToFileURL('/nowhere/') });
  const response = await api.app.inject({ url, headers: { accept: 'text/html' } });
  expect(response.statusCode).toBe(503);
  expect(response.headers['content-type']).toContain('text/plain');
  expect(response.body).toContain('npm start');
  await api.close();
});

describe("the members' page", () => {
  const MEMBERS = '<!doctype html><title>Meridian</title>';
  const root = join(setUpFolder(), 'page');
  beforeAll(async () => {
    await mkdir(join(root, 'assets'), { recursive: true });
    await writeFile(`${root}-secret.txt`, 'outside');
    await writeFile(join(root, 'index.html'), MEMBERS);
    await writeFile(join(root, 'assets/index-A1b2C3d4.js'), 'export {}');
    await writeFile(join(root, 'assets/index-A1b2C3d4.js.br'), 'script in brotli');
  });
  const api = setUpApp('embedded', { meDir: pathToFileURL(`${root}/`) });
  const get = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url, headers });

  test.each(['/me', '/me/', '/me?error=refused'])('is served at %s, never cached', async (url) => {
    const response = await get(url, { accept: 'text/html' });
    expect([response.statusCode, response.body]).toEqual([200, MEMBERS]);
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
