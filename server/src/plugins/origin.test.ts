import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';

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
