import { authLogin, authPassword } from '@meridian/contract/auth';
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ENGINES, setUpApp } from '../../../test/app.ts';
import { uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { insertAdmin } from './administrators.store.ts';
import { ensureFirstAdministrator, isInitialPasswordValid } from './first-administrator.ts';
import { canonicalUsername } from './username.ts';

describe.each(ENGINES)('the first administrator on %s', (engine) => {
  const api = setUpApp(engine);

  test('does not exist before it is created', async () => {
    const body = { username: 'admin', password: 'admin' };
    expect((await api.call(authLogin, { body })).error.code).toBe('invalid_credentials');
  });

  test.each([
    ['changeme', 8],
    ['admin123', 8],
    ['Meridian1', 8],
    ['operator-2026', 8],
    ['tall grey ships', 16],
  ])('is not created with %s', async (password, passwordMinLength) => {
    const { db, initialPassword: file } = api.context;
    const options = { db, username: 'operator', password, passwordMinLength, file };
    await expect(ensureFirstAdministrator(options)).rejects.toThrow(
      /^ADMIN_PASSWORD cannot be used\. (This password is too easy to guess\. .+|New password must be at least 16 characters)\.$/,
    );
    const { n } = await db.one<{ n: number }>(sql`select count(*) as n from admins`);
    expect(n).toBe(0);
  });

  test('is created once, with a password only in a private file until it is changed', async () => {
    const { db, initialPassword: file } = api.context;
    const options = { db, username: 'admin', password: null, passwordMinLength: 8, file };
    const created = await Promise.all([1, 2, 3].map(() => ensureFirstAdministrator(options)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await ensureFirstAdministrator(options)).toBe(false);
    // An outdated ADMIN_PASSWORD neither fails nor changes anything.
    expect(await ensureFirstAdministrator({ ...options, password: 'changeme' })).toBe(false);

    const password = (await readFile(file.path, 'utf8')).trimEnd();
    expect(password).toMatch(/^[1-9A-HJ-NP-Za-km-z]{24}$/);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);

    const login = await api.call(authLogin, { body: { username: 'admin', password } });
    const { token } = login.answer;
    const other = await api.signIn();
    await api.call(authPassword, {
      token: other.token,
      body: { currentPassword: other.password, newPassword: 'of another administrator' },
    });
    expect(await file.read()).toBe(password);
    await api.call(authPassword, {
      token,
      body: { currentPassword: password, newPassword: 'now my own password' },
    });
    expect(await file.read()).toBeNull();
  });

  test('has a file that stays while any administrator has its password', async () => {
    const { db, initialPassword: file } = api.context;
    const [id, password] = [uuidV7(), 'quiet river stones'];
    await insertAdmin(db, { id, username: 'early', passwordHash: await hashPassword(password) });
    await insertAdmin(db, { id: uuidV7(), username: 'damaged', passwordHash: '$damaged' });
    await file.write(password);
    const isOf = (username: string) => isInitialPasswordValid({ db, username, file });
    expect(await isOf('early')).toBe(true);
    // As after a restart with another ADMIN_USERNAME.
    expect(await isOf('late')).toBe(false);
    expect(await file.read()).toBe(password);
    // A hash that cannot be read may be of this password.
    await db.execute(sql`update admins set disabled_at = now() where id = ${id}`);
    expect(await isOf('early')).toBe(false);
    await db.execute(sql`delete from admins where username = 'damaged'`);
    expect(await isOf('early')).toBe(false);
    expect(await file.read()).toBe(password);

    await db.execute(sql`delete from admins where id = ${id}`);
    expect(await isOf('early')).toBe(false);
    expect(await file.read()).toBeNull();
  });
});

test.each([
  ['admin', 'admin'],
  ['  Admin ', 'admin'],
  ['ＡＤＭＩＮ', 'admin'],
  ['Ana María', 'ana maría'],
  ['', null],
  ['   ', null],
  ['ad\u0000min', null],
  ['ad\u200bmin', null],
  ['\u202eadmin', null],
  ['a\nb', null],
  ['x'.repeat(65), null],
])('%j is %j', (input, name) => {
  expect(canonicalUsername(input)).toBe(name);
});
