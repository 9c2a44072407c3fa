import { authLogin, authPassword } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { pass } from '../../../test/cluster/stopped-clock.ts';
import { callsThrough, fullGate, refusingGate } from '../../../test/hash-counter.ts';
import { sql } from '../../db/sql.ts';
import type { HashGate } from './hash-gate.ts';
import { createLoginThrottle } from './login-throttle.ts';
import type { Reservation } from './login-throttle.ts';

const LIMITS = {
  failures: 5,
  attemptsPerNetwork: 10_000,
  failuresPerName: 7,
  failuresInARow: 9,
  passwordChanges: 3,
};
const ENV = {
  LOGIN_FAILURES: '5',
  LOGIN_ATTEMPTS_PER_NETWORK: '10000',
  LOGIN_FAILURES_PER_NAME: '7',
  LOGIN_FAILURES_IN_A_ROW: '9',
  PASSWORD_CHANGES: '3',
};
const MANY = 12;

const from = (n: number) => ({ username: 'wanted', address: `198.51.100.${n}` });
const verdictless = ({ spend }: Reservation) =>
  expect(spend(() => Promise.reject(new Error('no verdict')))).rejects.toThrow('no verdict');

describe.each(ENGINES)('an attempt without a verdict is not counted, on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine, { env: ENV, isClockStopped: true });
  });
  afterAll(() => api.close());

  const throttle = () => createLoginThrottle(api.db, LIMITS);
  const forgetCounts = () => api.db.execute(sql`delete from attempt_buckets`);
  const counts = () =>
    api.db.many<{ attempts: number; blocked: boolean }>(sql`
      select attempts, coalesce(blocked_until > now(), false) as blocked
      from attempt_buckets order by attempts`);

  test.each(['somebody', 'nobody'])('a full queue leaves %s the whole budget', async (who) => {
    const { username } = await api.signIn();
    const body = { username: who === 'nobody' ? `no-${username}` : username, password: 'wrong' };
    const refused = await callsThrough(api, fullGate());
    for (let n = 0; n < MANY; n += 1) {
      const { status, headers } = await refused(authLogin, { body });
      expect([status, headers['retry-after']]).toEqual([503, '5']);
    }
    const call = await callsThrough(api, refusingGate());
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await call(authLogin, { body })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('nor do many at once leave a trace, but in what counts the attempts of a network', async () => {
    await forgetCounts();
    // As many processes as that takes, so that nobody waits to be counted.
    const servers = await Promise.all(
      Array.from({ length: 10 }, () => callsThrough(api, fullGate())),
    );
    const body = { username: 'crowd', password: 'wrong' };
    const answers = await Promise.all(
      [...servers, ...servers, ...servers].map((refused) => refused(authLogin, { body })),
    );
    expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(5);
    expect(await counts()).toEqual([{ attempts: 30, blocked: false }]);
  });

  test('a database that fails before the password is looked at, or a hash it cannot read', async () => {
    const { username, adminId } = await api.signIn();
    await forgetCounts();
    const login = async () =>
      (await api.call(authLogin, { body: { username, password: 'wrong' } })).status;
    await api.db.execute(sql`alter table admin_networks rename to set_aside`);
    expect(await login()).toBe(500);
    await api.db.execute(sql`alter table set_aside rename to admin_networks`);
    expect((await counts()).map(({ attempts }) => attempts)).toEqual([1]);
    await api.db.execute(sql`update admins set password_hash = '$damaged' where id = ${adminId}`);
    expect(await login()).toBe(500);
    expect((await counts()).map(({ attempts }) => attempts)).toEqual([2]);
  });

  test('a wrong password that cannot be put on record stays counted', async () => {
    await forgetCounts();
    const call = await callsThrough(api, refusingGate());
    await api.db.execute(sql`alter table audit_log rename to set_aside`);
    const body = { username: 'unrecorded', password: 'wrong' };
    expect((await call(authLogin, { body })).status).toBe(500);
    await api.db.execute(sql`alter table set_aside rename to audit_log`);
    expect((await counts()).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
  });

  test('what one budget refuses is not charged to another', async () => {
    await forgetCounts();
    for (let n = 0; n < LIMITS.failuresPerName; n += 1) await throttle().reserve(from(n));
    for (let n = 0; n < MANY; n += 1) {
      await expect(throttle().reserve(from(200))).rejects.toMatchObject({ retryAfterSeconds: 30 });
    }
    await pass(api.db, 30);
    await throttle().reserve(from(200));
    await expect(throttle().reserve(from(200))).rejects.toMatchObject({ retryAfterSeconds: 30 });
  });

  test('the count of whoever came after a sign-in is theirs', async () => {
    const { username } = await api.signIn();
    await forgetCounts();
    const attempt = { username, address: '198.51.100.1' };
    const early = await throttle().reserve(attempt);
    await throttle().succeeded(attempt);
    await pass(api.db, 1);
    await throttle().reserve(attempt);
    await verdictless(early);
    expect((await counts()).map(({ attempts }) => attempts)).toEqual([1, 2]);
  });

  test('the wait that a later attempt began goes on', async () => {
    await forgetCounts();
    const attempt = { username: 'patient', address: '198.51.100.2' };
    const reserve = () => throttle().reserve(attempt);
    const [first] = [await reserve(), await reserve(), await reserve(), await reserve()];
    const fifth = await reserve();
    await pass(api.db, 1);
    const sixth = await reserve();
    await expect(reserve()).rejects.toMatchObject({ retryAfterSeconds: 2 });
    // Its own wait ends with it, although the budget is used up.
    await verdictless(sixth);
    await reserve();
    await verdictless(fifth);
    await expect(reserve()).rejects.toMatchObject({ retryAfterSeconds: 2 });
    // Four are left of the five.
    await verdictless(first);
    await reserve();
    await expect(reserve()).rejects.toThrow('Too many attempts');
  });

  test('a password change that met a full queue', async () => {
    const { token, password } = await api.signIn();
    const refused = await callsThrough(api, fullGate());
    const body = { currentPassword: password, newPassword: 'quiet river stones' };
    for (let n = 0; n < MANY; n += 1) {
      expect((await refused(authPassword, { token, body })).status).toBe(503);
    }
    const wrong = { ...body, currentPassword: 'not the one' };
    expect((await api.call(authPassword, { token, body: wrong })).status).toBe(400);
    expect((await api.call(authPassword, { token, body })).status).toBe(200);
  });

  test('the gate hears who is known: a sign-in from a network of theirs, or a session', async () => {
    const { username, token } = await api.signIn();
    const heard: unknown[] = [];
    const gate: HashGate = {
      run: (_, options) => {
        heard.push(options?.isKnown ?? false);
        // No password is ever right here.
        return Promise.resolve(false as never);
      },
    };
    const call = await callsThrough(api, gate);
    const body = { username, password: 'wrong' };
    await call(authLogin, { body });
    await throttle().succeeded({ username, address: '127.0.0.1' });
    await call(authLogin, { body });
    const change = { currentPassword: 'wrong', newPassword: 'quiet river stones' };
    await call(authPassword, { token, body: change });
    expect(heard).toEqual([false, true, true]);
  });
});
