import { rm, writeFile } from 'node:fs/promises';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { planPublish } from '@meridian/contract/plans';
import { userUpdate } from '@meridian/contract/users';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import type { SignedIn } from '../../test/app.ts';
import { CHANGES } from '../../test/changes.ts';
import { insertUser } from '../../test/fixtures.ts';
import { tableContents } from '../../test/table-contents.ts';
import { sql } from '../db/sql.ts';
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
