import { authLogin, authPassword } from '@meridian/contract/auth';
import { describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import type { HashGate } from '../../server/src/features/passwords/passwords.ts';
import { createSignInLimits } from '../../server/src/features/sign-in-limits/sign-in-limits.ts';
import type { Reservation } from '../../server/src/features/sign-in-limits/sign-in-limits.ts';
import { EITHER, setUpApp } from '../../server/test/app.ts';
import { pass } from '../../server/test/cluster/stopped-clock.ts';
import { callsThrough, fullGate, refusingGate } from '../../server/test/hash-counter.ts';

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
const failToVerify = ({ run }: Reservation) =>
  expect(run(() => Promise.reject(new Error('not verified')))).rejects.toThrow('not verified');

describe.each(EITHER)('an attempt whose password was not verified is refunded on %s', (engine) => {
  const api = setUpApp(engine, { env: ENV, isClockStopped: true });

  const limits = () => createSignInLimits(api.db, LIMITS);
  const clearCounts = () => api.db.execute(sql`delete from attempt_buckets`);
  const counts = () =>
    api.db.many<{ attempts: number; blocked: boolean }>(sql`
      select attempts, coalesce(blocked_until > now(), false) as blocked
      from attempt_buckets order by attempts`);

  test.each(['a known', 'an unknown'])('when the queue is full, for %s name', async (kind) => {
    const { username } = await api.signIn();
    const body = {
      username: kind === 'an unknown' ? `no-${username}` : username,
      password: 'wrong',
    };
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

  test('also when many are concurrent, except for the limit of the network', async () => {
    await clearCounts();
    // Like several processes, so that no attempt waits to be counted.
    const servers = await Promise.all(
      Array.from({ length: 10 }, () => callsThrough(api, fullGate())),
    );
    const body = { username: 'crowd', password: 'wrong' };
    const responses = await Promise.all(
      [...servers, ...servers, ...servers].map((refused) => refused(authLogin, { body })),
    );
    expect(responses.filter(({ status }) => status === 503).length).toBeGreaterThanOrEqual(5);
    expect(await counts()).toEqual([{ attempts: 30, blocked: false }]);
  });

  test('when the database fails before, or the stored hash cannot be read', async () => {
    const { username, adminId } = await api.signIn();
    await clearCounts();
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

  test('but not a wrong password that could not be written to the audit log', async () => {
    await clearCounts();
    const call = await callsThrough(api, refusingGate());
    await api.db.execute(sql`alter table audit_log rename to set_aside`);
    const body = { username: 'unrecorded', password: 'wrong' };
    expect((await call(authLogin, { body })).status).toBe(500);
    await api.db.execute(sql`alter table set_aside rename to audit_log`);
    expect((await counts()).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
  });

  test('when another bucket refuses it', async () => {
    await clearCounts();
    for (let n = 0; n < LIMITS.failuresPerName; n += 1) await limits().reserve(from(n));
    for (let n = 0; n < MANY; n += 1) {
      await expect(limits().reserve(from(200))).rejects.toMatchObject({ retryAfterSeconds: 30 });
    }
    await pass(api.db, 30);
    await limits().reserve(from(200));
    await expect(limits().reserve(from(200))).rejects.toMatchObject({ retryAfterSeconds: 30 });
  });

  test('but not in a bucket that was cleared meanwhile', async () => {
    const { username } = await api.signIn();
    await clearCounts();
    const attempt = { username, address: '198.51.100.1' };
    const early = await limits().reserve(attempt);
    await limits().succeeded(attempt);
    await pass(api.db, 1);
    await limits().reserve(attempt);
    await failToVerify(early);
    expect((await counts()).map(({ attempts }) => attempts)).toEqual([1, 2]);
  });

  test('while the wait of a later attempt continues', async () => {
    await clearCounts();
    const attempt = { username: 'patient', address: '198.51.100.2' };
    const reserve = () => limits().reserve(attempt);
    const [first] = [await reserve(), await reserve(), await reserve(), await reserve()];
    const fifth = await reserve();
    await pass(api.db, 1);
    const sixth = await reserve();
    await expect(reserve()).rejects.toMatchObject({ retryAfterSeconds: 2 });
    // Its own wait ends with it, although the limit is reached.
    await failToVerify(sixth);
    await reserve();
    await failToVerify(fifth);
    await expect(reserve()).rejects.toMatchObject({ retryAfterSeconds: 2 });
    // Four are left of the five.
    await failToVerify(first);
    await reserve();
    await expect(reserve()).rejects.toThrow('Too many attempts');
  });

  test('when a password change meets a full queue', async () => {
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

  test('the hash gate prefers sign-ins from known networks and requests with a session', async () => {
    const { username, token } = await api.signIn();
    const preferred: unknown[] = [];
    const gate: HashGate = {
      run: (_, options) => {
        preferred.push(options?.isKnown ?? false);
        // No password is ever right here.
        return Promise.resolve(false as never);
      },
    };
    const call = await callsThrough(api, gate);
    const body = { username, password: 'wrong' };
    await call(authLogin, { body });
    await limits().succeeded({ username, address: '127.0.0.1' });
    await call(authLogin, { body });
    const change = { currentPassword: 'wrong', newPassword: 'quiet river stones' };
    await call(authPassword, { token, body: change });
    expect(preferred).toEqual([false, true, true]);
  });
});
