import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VARIABLES } from './config/variables.ts';
import { readConfig } from './config.ts';
import { StartError } from './start-error.ts';

describe('the settings', () => {
  test('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: resolve('data'),
      database: { url: null },
      firstAdmin: { username: 'admin', password: null },
      demoData: true,
      cdnBaseUrl: null,
      imageHosts: [],
      upstreamApi: null,
      corsOrigins: [],
      allowedHosts: [],
      trustProxy: [],
      logLevel: 'info',
      passwordMinLength: 8,
      session: { idleSeconds: 1800, maxSeconds: 43_200 },
      sessionRateLimit: 600,
      objectStore: { url: null, cdnBaseUrl: '/cdn/' },
    });
  });

  test('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  test('is quiet in a terminal by default', () => {
    expect(readConfig({}, { isTTY: true }).logLevel).toBe('warn');
    expect(readConfig({ LOG_LEVEL: 'debug' }, { isTTY: true }).logLevel).toBe('debug');
  });

  test('cannot be changed', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  test('reads every kind of value', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '::1',
      DATABASE_URL: 'postgres://me:secret@db.example.com/meridian',
      ADMIN_USERNAME: ' Ada ',
      CDN_BASE_URL: 'https://cdn.example.com/m',
      IMAGE_HOSTS: 'images.example.com, *.photos.example.net',
      CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
      ALLOWED_HOSTS: 'admin.example.com,[::1]',
      TRUST_PROXY: 'loopback,10.0.0.0/8,fd00::/8',
      SESSION_IDLE_MINUTES: '5',
      OBJECT_STORE_URL: 's3://bucket/prefix',
      HSTS_INCLUDE_SUBDOMAINS: 'off',
    });
    expect(config).toMatchObject({
      port: 0,
      host: '::1',
      demoData: false,
      firstAdmin: { username: 'ada' },
      imageHosts: ['images.example.com', '*.photos.example.net'],
      corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
      allowedHosts: ['admin.example.com', '[::1]'],
      trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8'],
      session: { idleSeconds: 300 },
      objectStore: { url: 's3://bucket/prefix', cdnBaseUrl: 'https://cdn.example.com/m' },
      hstsIncludeSubDomains: false,
    });
  });

  test.each([
    ['PORT', '70000', 'PORT must be a whole number from 0 to 65535, not "70000".'],
    ['PORT', '3e3', 'PORT must be a whole number from 0 to 65535, not "3e3".'],
    ['HOST', 'a b', 'HOST must be a host name or an IP address, not "a b".'],
    ['DEMO_DATA', 'yes', 'DEMO_DATA must be on or off, not "yes".'],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be fatal, .* or silent, not "loud"\.$/],
    [
      'UPSTREAM_API',
      'ftp://x',
      'UPSTREAM_API must be an http:// or https:// address, not "ftp://x".',
    ],
    ['CDN_BASE_URL', 'https://u:p@x/', /^CDN_BASE_URL must be an http/],
    ['CORS_ORIGINS', 'https://a.example.com/', /^CORS_ORIGINS must be a list of origins/],
    ['CORS_ORIGINS', 'null', /^CORS_ORIGINS must be a list of origins/],
    ['CORS_ORIGINS', '*', /^CORS_ORIGINS must be a list of origins/],
    ['ALLOWED_HOSTS', 'a.example.com:3000', /^ALLOWED_HOSTS must be a list of host names/],
    ['TRUST_PROXY', 'true', /^TRUST_PROXY must be a list of addresses/],
    ['TRUST_PROXY', '10.0.0.0/x', /^TRUST_PROXY must be a list of addresses/],
    ['TRUST_PROXY', '10.0.0.0/33', /^TRUST_PROXY must be a list of addresses/],
    ['TRUST_PROXY', '10.0.0.0/0', /^TRUST_PROXY must be a list of addresses/],
    ['PASSWORD_MIN_LENGTH', '7', /^PASSWORD_MIN_LENGTH must be a whole number from 8 to 64/],
    ['PASSWORD_MIN_LENGTH', '65', /^PASSWORD_MIN_LENGTH must be a whole number from 8 to 64/],
    ['SESSION_IDLE_MINUTES', '0', /^SESSION_IDLE_MINUTES must be a whole number from 1/],
    ['ADMIN_USERNAME', 'a\u200bb', /^ADMIN_USERNAME must be a user name/],
    ['OBJECT_STORE_URL', 'bucket', /^OBJECT_STORE_URL must be an address such as s3/],
    ['PUBLIC_URL', 'http://posts.example.com', /^PUBLIC_URL must be an https:\/\/ address/],
    ['PUBLIC_URL', 'https://posts.example.com/me', /^PUBLIC_URL must be an https:\/\/ address/],
    ['PUBLIC_URL', 'https://ana@posts.example.com', /^PUBLIC_URL must be an https:\/\/ address/],
    ['ENGINE_KEY_FILE', '/nowhere/key', /^ENGINE_KEY_FILE must be a file that can be read/],
  ])('refuses %s=%s', (name, value, sentence) => {
    const attempt = () => readConfig({ [name]: value });
    expect(attempt).toThrow(StartError);
    expect(attempt).toThrow(sentence);
  });

  test.each([
    'https://images.example.com',
    'images.example.com:8443',
    'images.example.com/path',
    '*',
    '*.com',
    'a.*.example.com',
    'Images.example.com',
    'localhost',
    '10.0.0.1',
    '[::1]',
    "images.example.com; script-src 'self'",
    "'unsafe-inline'",
    'data:',
    'a.example.com,,b.example.com',
    '-a.example.com',
  ])('refuses pictures from %s', (hosts) => {
    expect(() => readConfig({ IMAGE_HOSTS: hosts })).toThrow(
      /^IMAGE_HOSTS must be a list of host names/,
    );
  });

  test.each([
    ['DATABASE_URL', 'mysql://me:hunter2@host/db'],
    ['ADMIN_PASSWORD', 'hunter2'],
    ['ENGINE_KEY', 'hunter2'],
  ])('keeps the value of %s to itself', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be`));
    expect(() => readConfig({ [name]: value })).not.toThrow(/hunter2/);
  });

  test.each([
    ['UPSTREAM_API', 'https://ana:hunter2@api.example.com', '"https://***@api.example.com"'],
    [
      'OBJECT_STORE_ENDPOINT',
      'https://ana:hunter2@s3.example.com/x',
      '"https://***@s3.example.com/x"',
    ],
    ['OBJECT_STORE_ENDPOINT', 'ana:hunter2@s3.example.com', '"***@s3.example.com"'],
    [
      'OBJECT_STORE_URL',
      'http://ana:hun@ter2/hunter2@s3.example.com',
      '"http://***@s3.example.com"',
    ],
    ['CDN_BASE_URL', 'https://cdn.example.com/?key=hunter2', '"https://cdn.example.com/?***"'],
    ['CDN_BASE_URL', 'https://cdn.example.com/#hunter2', '"https://cdn.example.com/#***"'],
    ['VITE_API_BASE_URL', 'ftp://ana:hunter2@x', '"ftp://***@x"'],
    ['CORS_ORIGINS', 'https://a.example.com,https://ana:hunter2@b', '"https://***@b"'],
    ['HOST', 'ana:hunter2@b', '"***@b"'],
  ])('masks the secret in a refused %s', (name, value, shown) => {
    const attempt = () => readConfig({ [name]: value });
    expect(attempt).toThrow(new RegExp(`^${name} must be .*, not `));
    expect(attempt).toThrow(shown);
    expect(attempt).not.toThrow(/hunter2/);
  });

  test('refuses an address whose password the driver could not read', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres://ana:50%off@db.example.com/d' })).toThrow(
      /^DATABASE_URL must be a PostgreSQL address such as [^,]*\.$/,
    );
  });

  test.each(['sslrootcert', 'sslcert', 'sslkey'])(
    'refuses an address whose %s is no file',
    (name) => {
      const address = (path: string) => `postgres://db.example.com/d?${name}=${path}`;
      expect(() => readConfig({ DATABASE_URL: address('/no/ca.pem') })).toThrow(
        `The file /no/ca.pem cannot be read; correct ${name} in the address of the database.`,
      );
      const there = address(import.meta.filename);
      expect(readConfig({ DATABASE_URL: there }).database.url).toBe(there);
    },
  );

  test('refuses demonstration data in a PostgreSQL server', () => {
    const env = { DATABASE_URL: 'postgres://db.example.com/meridian', DEMO_DATA: 'on' };
    expect(() => readConfig(env)).toThrow('DEMO_DATA can be on only without DATABASE_URL.');
  });

  test('refuses demonstration data on the live network, and makes none by itself', () => {
    const env = { NETWORK: 'live', PUBLIC_URL: 'https://posts.example.com/' };
    expect(readConfig(env)).toMatchObject({
      demoData: false,
      network: 'live',
      publicUrl: 'https://posts.example.com',
      engineKeys: null,
    });
    expect(() => readConfig({ ...env, DEMO_DATA: 'on' })).toThrow(
      'DEMO_DATA can be on only without NETWORK=live.',
    );
  });

  test('documents every variable', () => {
    for (const [name, one] of Object.entries(VARIABLES)) {
      expect(name).toMatch(/^[A-Z][A-Z_]+$/);
      expect(one.meaning.length).toBeGreaterThan(10);
      expect(one.shown).not.toBe('');
    }
  });
});
