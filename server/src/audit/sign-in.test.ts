import { authLogin, authLogout, authPassword } from '@meridian/contract/auth';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../test/app.ts';
import { callsThrough, refusingGate } from '../../test/hash-counter.ts';
import { sql } from '../db/sql.ts';
import { createAdministratorsService } from '../features/administrators/administrators.service.ts';
import { ensureFirstAdministrator } from '../features/administrators/first-administrator.ts';
import { verifyChain } from './verify.ts';

const event = (action: string, actor_name: string, entity_id: string | null) => ({
  actor_id: null,
  actor_name,
  action,
  entity_id,
  before: null,
  after: null,
  network: '127.0.0.1',
});

describe.each(EITHER)('sign-ins in the audit log on %s', (engine) => {
  const api = setUpApp(engine, { env: { LOGIN_FAILURES: '3', PASSWORD_CHANGES: '2' } });
  let seen = 0;

  /** The entries since it was last asked. */
  const news = async () => {
    const entries = await api.db.many<Record<string, unknown>>(sql`
      select actor_id, actor_name, action, entity_id, before, after, network
      from audit_log where id > ${seen} order by id`);
    seen += entries.length;
    return entries;
  };
  test('a failed one names the administrator; an unknown name leaves no entry', async () => {
    const { username, adminId } = await api.signIn();
    const login = (name: string) =>
      api.call(authLogin, { body: { username: name, password: 'not the one' } });
    await login(username.toUpperCase());
    await login('Unknown Name');
    await login('zero\u200bwidth');
    expect(await news()).toEqual([event('authLoginFailed', username, adminId)]);
  });

  test('a disabled administrator is named too, also with the right password', async () => {
    const { username, adminId, password } = await api.signIn();
    await api.db.execute(sql`update admins set disabled_at = now() where id = ${adminId}`);
    for (const given of ['not the one', password]) {
      const { status } = await api.call(authLogin, { body: { username, password: given } });
      expect(status).toBe(401);
    }
    const failed = event('authLoginFailed', username, adminId);
    expect(await news()).toEqual([failed, failed]);
  });

  test('of consecutive refusals only the first has an entry, and again after an allowed attempt', async () => {
    const call = await callsThrough(api, refusingGate());
    const { username, adminId } = await api.signIn();
    const attempt = async () =>
      (await call(authLogin, { body: { username, password: 'not the one' } })).status;
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await attempt());
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    const failed = event('authLoginFailed', username, adminId);
    const throttled = event('authThrottled', username, adminId);
    expect(await news()).toEqual([failed, failed, failed, throttled]);
    await api.db.execute(sql`
      update attempt_buckets set blocked_until = now() where blocked_until is not null`);
    expect([await attempt(), await attempt(), await attempt()]).toEqual([401, 429, 429]);
    expect(await news()).toEqual([failed, throttled]);
  });

  test('a wrong current password, and one tried too often', async () => {
    const { token, username, adminId } = await api.signIn();
    const body = { currentPassword: 'not the one', newPassword: 'quiet river stones' };
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await api.call(authPassword, { token, body })).status);
    }
    expect(statuses).toEqual([400, 400, 429, 429]);
    const failed = { ...event('authPasswordFailed', username, adminId), actor_id: adminId };
    expect(await news()).toEqual([failed, failed, { ...failed, action: 'authThrottled' }]);
  });

  test('a logout of an ended session has no entry', async () => {
    const { token } = await api.signIn();
    const logout = () => api.call(authLogout, { token });
    const statuses = (await Promise.all([logout(), logout(), logout()])).map(
      ({ status }) => status,
    );
    expect(statuses).toContain(200);
    expect((await news()).map(({ action }) => action)).toEqual(['authLogout']);
  });

  test('the commands for administrators', async () => {
    const admins = createAdministratorsService({
      db: api.db,
      passwordMinLength: 8,
      initialPassword: api.context.initialPassword,
    });
    await admins.create({ username: 'ana', displayName: 'Ana Lima' }, 'quiet river stones');
    const account = await admins.find('ana');
    await admins.resetPassword(account, 'green river stones');
    await admins.unlock(account);
    await admins.disable(account);
    await admins.disable(account);
    await admins.enable(account);
    await admins.enable(account);
    const host = (action: string, before: unknown = null, after: unknown = null) => ({
      ...event(action, 'host', account.id),
      network: null,
      before,
      after,
    });
    expect(await news()).toEqual([
      host('adminCreate', null, { username: 'ana', displayName: 'Ana Lima' }),
      host('adminResetPassword'),
      host('adminUnlock'),
      host('adminDisable', { isDisabled: false }, { isDisabled: true }),
      host('adminEnable', { isDisabled: true }, { isDisabled: false }),
    ]);
    expect((await verifyChain(api.db)).flaws).toEqual([]);
  });

  test('the first administrator', async () => {
    const empty = await startTestApp(engine);
    const options = { db: empty.db, passwordMinLength: 8, file: empty.context.initialPassword };
    const first = { ...options, username: 'admin', password: 'quiet river stones' };
    expect(await ensureFirstAdministrator(first)).toBe(true);
    expect(await ensureFirstAdministrator(first)).toBe(false);
    expect(
      await empty.db.many(sql`select actor_name, action, before, after from audit_log`),
    ).toEqual([
      {
        actor_name: 'host',
        action: 'adminCreate',
        before: null,
        after: { username: 'admin', displayName: null },
      },
    ]);
    await empty.close();
  });
});
