import { authLogin, authLogout, authPassword } from '@meridian/contract/auth';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { planPublish } from '@meridian/contract/plans';
import { ticketIssue, ticketRevoke } from '@meridian/contract/tickets';
import { userUpdate } from '@meridian/contract/users';
import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../test/app.ts';
import type { SignedIn } from '../../test/app.ts';
import { CHANGES } from '../../test/changes.ts';
import { insertUser } from '../../test/fixtures.ts';
import { callsThrough, refusingGate } from '../../test/hash-counter.ts';
import { planBody } from '../../test/plan-fixtures.ts';
import { tableContents } from '../../test/table-contents.ts';
import { sql } from '../db/sql.ts';
import { createAdministratorsService } from '../features/administrators/administrators.service.ts';
import { ensureFirstAdministrator } from '../features/administrators/first-administrator.ts';
import { HOST } from './audit.store.ts';
import { verifyChain } from './verify.ts';

type EntryRow = Record<
  | 'actor_id'
  | 'actor_name'
  | 'action'
  | 'entity'
  | 'entity_id'
  | 'before'
  | 'after'
  | 'request_id'
  | 'network',
  unknown
>;

/** Attempts are counted before a password is looked at, whatever becomes of the call. */
const COUNTERS = ['attempt_buckets', 'admin_networks'];
const CASES = CHANGES.map(([endpoint, prepare]) => ({ name: endpoint.name, endpoint, prepare }));

test('every call that changes data is tested', () => {
  // A preview is sent as POST because of its body.
  const changing = ENDPOINTS.filter(
    ({ method, name }) => method !== 'GET' && name !== 'bulkPreview',
  ).map(({ name }) => name);
  expect(CASES.map(({ name }) => name).toSorted()).toEqual(changing.toSorted());
});

describe.each(EITHER)('the audit log on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  let seen = 0;

  /** The entries since it was last asked. */
  const news = async () => {
    const entries = await api.db.many<EntryRow>(sql`
      select actor_id, actor_name, action, entity, entity_id, before, after, request_id, network
      from audit_log where id > ${seen} order by id`);
    seen += entries.length;
    return entries;
  };

  /** Runs the work while no entry can be written. */
  const withoutRecord = async <T>(work: () => Promise<T>): Promise<T> => {
    await api.db.execute(sql`
      create or replace function fail_for_test() returns trigger language plpgsql as
      $$ begin raise exception 'no entry'; end $$`);
    await api.db.execute(sql`
      create trigger fail_for_test before insert on audit_log for each row
      execute function fail_for_test()`);
    try {
      return await work();
    } finally {
      await api.db.execute(sql`drop trigger fail_for_test on audit_log`);
    }
  };

  describe.each(CASES)('$name', ({ endpoint, prepare }) => {
    test('is written with its change, or neither is', async () => {
      admin = await api.signIn();
      const { token, adminId, username } = admin;
      const {
        call,
        refused,
        before,
        after,
        action = endpoint.name,
        ...rest
      } = await prepare(api, admin);
      await news();

      const refusals = refused === null ? [] : [await api.call(endpoint, { token, ...refused })];
      expect(refusals.filter(({ status }) => status < 400)).toEqual([]);
      expect(await news()).toEqual([]);

      const contents = await tableContents(api.db, COUNTERS);
      const unrecorded = await withoutRecord(() => api.call(endpoint, { token, ...call }));
      expect(unrecorded.status).toBe(500);
      expect(await tableContents(api.db, COUNTERS)).toBe(contents);

      const { answer, headers } = await api.call(endpoint, { token, ...call });
      expect(await news()).toEqual([
        {
          actor_id: adminId,
          actor_name: username,
          action,
          entity: expect.stringMatching(
            /^(admin|settings|handover|user|assignment|post|ticket|plan|currency|bulk-change|access-keyword|api-token)$/,
          ),
          entity_id: 'id' in rest ? rest.id : idOf(answer),
          before,
          after,
          request_id: headers['x-request-id'],
          network: '127.0.0.1',
        },
      ]);
    });
  });

  test('holds no secret in any field of any entry of these calls', async () => {
    const codes = await api.db.many<{ secret: string }>(sql`
      select code as secret from tickets union all select password_hash from admins
      union all select encode(token_hash, 'hex') from admin_sessions`);
    const secrets = [...codes.map(({ secret }) => secret), admin.token, admin.password];
    const entries = await api.db.many<{ text: string; fields: string[] }>(sql`
      select audit_log::text as text,
        array(select jsonb_object_keys(coalesce(before, '{}') || coalesce(after, '{}'))) as fields
      from audit_log`);
    expect(entries.length).toBeGreaterThanOrEqual(CASES.length);
    const written = entries.map(({ text }) => text).join(' ');
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
    const names = new Set(entries.flatMap(({ fields }) => fields));
    expect([...names].filter((name) => /password|token|secret|key|hash/i.test(name))).toEqual([]);
  });

  test('has no entry for a change without a difference', async () => {
    const { token } = await api.signIn();
    const id = await insertUser(api.db);
    const update = () =>
      api.call(userUpdate, { token, params: { id }, body: { status: 'BLOCKED' } });
    await update();
    expect(await news()).toHaveLength(1);
    expect((await update()).status).toBe(200);
    expect(await news()).toEqual([]);
  });

  test('has an entry for a failed publication', async () => {
    const { token } = await api.signIn();
    const objects = `${api.dataDir}/objects`;
    await rm(objects, { recursive: true, force: true });
    // A file where the folder should be.
    await writeFile(objects, '');
    expect((await api.call(planPublish, { token })).status).toBe(502);
    await rm(objects);
    const actions = (await news()).map(({ action }) => action);
    expect(actions).toEqual(['planPublish', 'planPublishFailed']);
  });

  test('publishes nothing that is not logged', async () => {
    const { token } = await api.signIn();
    await rm(`${api.dataDir}/objects`, { recursive: true, force: true });
    const unrecorded = await withoutRecord(() => api.call(planPublish, { token }));
    expect(unrecorded.status).toBe(500);
    const { statusCode } = await api.app.inject('/cdn/plans/index.json');
    expect(statusCode).toBe(404);
  });

  test.each([
    ['update', sql`update audit_log set actor_name = 'another'`],
    ['delete', sql`delete from audit_log`],
    ['truncate', sql`truncate audit_log`],
    ['delete of the end', sql`delete from audit_head`],
  ])('is only ever added to: no %s', async (_, statement) => {
    await expect(api.db.execute(statement)).rejects.toThrow(
      'entries of the audit log cannot be changed or removed',
    );
  });

  test('sets ids, times and hashes itself', async () => {
    await api.db.execute(sql`
      insert into audit_log (id, at, actor_name, action, entity, previous_hash, hash)
      values (7, '2001-01-01', 'an intruder', 'adminCreate', 'admin', '\\x00', '\\x00')`);
    const { flaws, last } = await verifyChain(api.db);
    expect([flaws, (await api.db.many(sql`select from audit_log`)).length]).toEqual([
      [],
      Number(last.id),
    ]);
  });
});

/** The id of the one entity in a response. */
function idOf(body: unknown): unknown {
  const [thing] = Object.values(body ?? {}) as { id?: unknown }[];
  return thing?.id;
}

describe('secrets', () => {
  const api = setUpApp('embedded');

  const KEY = 'key-sentinel-62c1';
  const TYPED_AS_NAME = 'name sentinel b7f0';
  const WRONG = 'wrong sentinel 91ae';
  const FUTURE = 'future sentinel 4d55';

  test('neither the audit log nor the log holds a secret', async () => {
    const { token, username, password } = await api.signIn();
    const login = (body: { username: string; password: string }) => api.call(authLogin, { body });
    const second = (await login({ username, password })).answer.token;
    await login({ username, password: WRONG });
    // What people type as a name by mistake is sometimes their password.
    await login({ username: TYPED_AS_NAME, password: WRONG });
    const change = { currentPassword: password, newPassword: FUTURE };
    await api.call(authPassword, { token, body: { ...change, currentPassword: WRONG } });
    await api.call(authPassword, { token, body: change });
    const { id: planId } = await api.context.plans.create(HOST, planBody());
    const issued = await api.call(ticketIssue, {
      token,
      headers: { 'idempotency-key': KEY },
      body: { planId, validDays: 30 },
    });
    const { id, code } = issued.answer.ticket;
    await api.call(ticketRevoke, { token, params: { id } });

    const hashes = await api.db.many<{ hash: string }>(sql`
    select password_hash as hash from admins
    union all select encode(token_hash, 'hex') from admin_sessions`);
    const secrets = [token, second, password, WRONG, FUTURE, TYPED_AS_NAME, KEY];
    const parts = [code, code.slice(5), ...hashes.map(({ hash }) => hash)];
    const { text, n } = await api.db.one<{ text: string; n: number }>(sql`
    select string_agg(audit_log::text, ' ') as text, count(*) as n from audit_log`);
    const failures = await api.db.many<{ line: string }>(sql`
    select sign_in_failures::text as line from sign_in_failures`);
    expect(failures).toHaveLength(1);
    const written = text + failures[0]?.line + api.logged.join('');
    expect([...secrets, ...parts].filter((secret) => written.includes(secret))).toEqual([]);
    // The plan, a sign-in that failed and one that did not, a password after a wrong one, a ticket and
    // its end. The sign-in with an unknown name is only counted.
    expect(n).toBe(7);
    expect(text).toContain(`${code.slice(0, 4)}-****-****-****`);
  });
});

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
