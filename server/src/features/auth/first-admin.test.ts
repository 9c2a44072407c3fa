import { readFile, stat } from 'node:fs/promises';
import { authLogin, authPassword } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { insertAdmin } from './auth.store.ts';
import { ensureFirstAdmin, isInitialPasswordValid } from './first-admin.ts';
import { hashPassword } from './password-hash.ts';

describe.each(ENGINES)('the first administrator on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  afterAll(() => api.close());

  test('is there for nobody before it is made', async () => {
    const body = { username: 'admin', password: 'admin' };
    expect((await api.call(authLogin, { body })).error.code).toBe('invalid_credentials');
  });

  test.each([
    ['changeme', 8],
    ['admin123', 8],
    ['Meridian1', 8],
    ['operator-2026', 8],
    ['tall grey ships', 16],
  ])('is not made with %s', async (password, passwordMinLength) => {
    const { db, initialPassword: file } = api.context;
    const options = { db, username: 'operator', password, passwordMinLength, file };
    await expect(ensureFirstAdmin(options)).rejects.toThrow(
      /^ADMIN_PASSWORD cannot be used\. (This password is too easy to guess\. .+|New password must be at least 16 characters)\.$/,
    );
    const { n } = await db.one<{ n: number }>(sql`select count(*) as n from admins`);
    expect(n).toBe(0);
  });

  test('is made once, with a password only in a private file that goes when it is changed', async () => {
    const { db, initialPassword: file } = api.context;
    const options = { db, username: 'admin', password: null, passwordMinLength: 8, file };
    const made = await Promise.all([1, 2, 3].map(() => ensureFirstAdmin(options)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await ensureFirstAdmin(options)).toBe(false);
    // A password that has no use any more stops nothing and changes nothing.
    expect(await ensureFirstAdmin({ ...options, password: 'changeme' })).toBe(false);

    const password = (await readFile(file.path, 'utf8')).trimEnd();
    expect(password).toMatch(/^[1-9A-HJ-NP-Za-km-z]{24}$/);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);

    const login = await api.call(authLogin, { body: { username: 'admin', password } });
    const { token } = login.answer;
    const other = await api.signIn();
    await api.call(authPassword, {
      token: other.token,
      body: { currentPassword: other.password, newPassword: 'of somebody else' },
    });
    expect(await file.read()).toBe(password);
    await api.call(authPassword, {
      token,
      body: { currentPassword: password, newPassword: 'now my own password' },
    });
    expect(await file.read()).toBeNull();
  });

  test('has a note that stays while it is the password of anybody, whoever is asked for', async () => {
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
    // A hash that nobody can read may be of any password.
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
