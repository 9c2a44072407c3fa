import { auditList, auditReverse } from '@meridian/contract/audit';
import type { AuditEntry } from '@meridian/contract/audit';
import { currencyDeactivate } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { planGet, planSetActive, planUpdate } from '@meridian/contract/plans';
import { postCancel, postDelete, postUpdate } from '@meridian/contract/posts';
import { REASON_HEADER } from '@meridian/contract/requests';
import { settingsUpdate } from '@meridian/contract/settings';
import { userGet, userRestrict, userUpdate } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { bulkCalls } from '../../../test/bulk-calls.ts';
import type { CallOptions } from '../../../test/call.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertCurrency, planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { verifyChain } from '../../audit/verify.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { listEntries } from './audit.ts';

describe.each(EITHER)('the audit log of the API on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await api.signIn('ana');
  });

  const list = async (query: Record<string, string> = {}) =>
    (await api.call(auditList, { token: admin.token, query })).answer;
  /** Makes a call that has to succeed, and returns its entry. */
  const make = async (
    endpoint: Endpoint,
    options: CallOptions<Endpoint>,
    why?: string,
  ): Promise<AuditEntry> => {
    const headers = why === undefined ? {} : { [REASON_HEADER]: encodeURIComponent(why) };
    const { status } = await api.call(endpoint, { token: admin.token, ...options, headers });
    expect(status).toBe(200);
    const [entry] = (await list({ limit: '1' })).entries;
    if (entry === undefined) throw new Error('No entry was written');
    return entry;
  };
  const reverse = (id: string, headers: Record<string, string> = {}) =>
    api.call(auditReverse, { token: admin.token, params: { id }, headers });

  test('shows who changed what, from where and why', async () => {
    const id = await insertUser(api.db);
    const body = { status: 'BLOCKED' };
    const entry = await make(userUpdate, { params: { id }, body }, 'Spam: “50% off” ünd 🔑');
    expect(entry).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: expect.stringMatching(/^20.+Z$/),
      actor: 'ana',
      network: '127.0.0.1',
      action: 'userUpdate',
      entity: 'user',
      entityId: id,
      before: { status: 'ACTIVE' },
      after: { status: 'BLOCKED' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reason: 'Spam: “50% off” ünd 🔑',
      batch: null,
      finalReason: null,
      supersededBy: null,
    });
    expect((await verifyChain(api.db)).flaws).toEqual([]);
  });

  test.each([
    ['broken encoding', '%E0%A4%A'],
    ['several lines', encodeURIComponent('a\nb')],
    ['only spaces', encodeURIComponent(' \u200b ')],
    ['501 characters', 'x'.repeat(501)],
  ])('refuses a reason of %s, and changes nothing', async (_, reason) => {
    const id = await insertUser(api.db);
    const { status, error } = await api.call(userUpdate, {
      token: admin.token,
      params: { id },
      body: { status: 'BLOCKED' },
      headers: { [REASON_HEADER]: reason },
    });
    expect([status, error.issues?.[0]?.path]).toEqual([400, 'reason']);
    expect((await api.context.users.get(id)).status).toBe('ACTIVE');
  });

  test('is filtered by administrator, action, thing, period and batch, and read in pages', async () => {
    const user = await insertUser(api.db);
    const { assignmentId } = await grantPlan(api.db, user);
    const batch = uuidV7();
    const bea = { ...HOST, username: 'bea', batch, reason: 'A large change' };
    for (const status of ['BLOCKED', 'SUSPENDED', 'ACTIVE'] as const) {
      await api.context.users.update(bea, user, { status });
    }
    await api.context.assignments.revoke(HOST, user, assignmentId);
    const actions = async (query: Record<string, string>) =>
      (await list(query)).entries.map(({ action }) => action);

    expect(await actions({ actor: 'bea' })).toEqual(['userUpdate', 'userUpdate', 'userUpdate']);
    expect(await actions({ batch, limit: '2' })).toHaveLength(2);
    expect(await actions({ batch: 'none' })).toEqual([]);
    expect(await actions({ entity: 'user', entityId: user })).toEqual([
      'assignmentRevoke',
      'userUpdate',
      'userUpdate',
      'userUpdate',
    ]);
    expect(await actions({ entity: 'assignment' })).toEqual(['assignmentRevoke']);
    expect(await actions({ entity: 'post', entityId: user })).toEqual([]);
    expect(await actions({ action: 'assignmentRevoke', actor: 'host' })).toHaveLength(1);

    const [newest, , oldest] = (await list({ actor: 'bea' })).entries;
    const period = { from: oldest?.at ?? '', to: newest?.at ?? '', actor: 'bea' };
    expect((await list(period)).entries.at(-1)).toEqual(oldest);
    expect(await actions({ ...period, from: period.to, to: period.from })).toEqual([]);

    for (const query of [{ actor: 'bea' }, { from: oldest?.at ?? '' }]) {
      const whole = await list(query);
      const seen: AuditEntry[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list({ ...query, limit: '2', ...(cursor ? { cursor } : {}) });
        seen.push(...page.entries);
        cursor = page.cursors?.next;
      } while (cursor);
      expect(seen).toEqual(whole.entries);
    }
  });

  test('reverses each kind of change as a change of its own', async () => {
    const user = await insertUser(api.db);
    const post = await insertPost(api.db, user);
    const plan = await api.context.plans.create(HOST, planBody());
    const currency = await insertCurrency(api.db, 'sek');
    const content = Object.fromEntries(
      Object.entries(planBody({ name: plan.name })).filter(([name]) => name !== 'tier'),
    );
    const changes: [Endpoint, CallOptions<Endpoint>][] = [
      [userUpdate, { params: { id: user }, body: { is_active: false } }],
      [userRestrict, { params: { id: user }, body: { upgradeProhibited: true } }],
      [postCancel, { params: { id: post } }],
      [postUpdate, { params: { id: post }, body: { status: 'PROCESSING' } }],
      [planUpdate, { params: { id: plan.id }, body: { ...content, displayOrder: 77 } }],
      [planSetActive, { params: { id: plan.id }, body: { isActive: false } }],
      [currencyDeactivate, { params: { id: currency } }],
      [settingsUpdate, { body: { is_service_suspended: true } }],
    ];
    for (const [endpoint, options] of changes) {
      const { id, before, after } = await make(endpoint, options);
      expect(before).not.toBeNull();
      expect([endpoint.name, (await reverse(id)).status]).toEqual([endpoint.name, 200]);
      const [inverse] = (await list({ limit: '1' })).entries;
      const { version: _, ...back } = before ?? {};
      expect(inverse).toMatchObject({ after: back, actor: 'ana', reason: `Reverses entry ${id}` });
      const { version: __, ...away } = after ?? {};
      expect(inverse?.before).toMatchObject(away);
    }
    const { plan: now } = (await api.call(planGet, { token: admin.token, params: { id: plan.id } }))
      .answer;
    expect({ ...now, version: 0, updatedAt: '' }).toEqual({ ...plan, version: 0, updatedAt: '' });
  });

  test('adds the reason of the administrator, cut to its length', async () => {
    const params = { id: await insertUser(api.db) };
    const { id } = await make(userUpdate, { params, body: { status: 'BLOCKED' } });
    await reverse(id, { [REASON_HEADER]: 'y'.repeat(500) });
    const [{ reason } = { reason: '' }] = (await list({ limit: '1' })).entries;
    expect(reason).toBe(`Reverses entry ${id}: ${'y'.repeat(500)}`.slice(0, 500));
  });

  test('refuses to reverse what something newer has changed, and names it', async () => {
    const params = { id: await insertUser(api.db) };
    const first = await make(userUpdate, { params, body: { status: 'BLOCKED' } });
    // Another field of the same user is no obstacle.
    await make(userUpdate, { params, body: { is_active: false } });
    const newer = await make(userUpdate, { params, body: { status: 'SUSPENDED' } });
    const { error, status } = await reverse(first.id);
    expect([status, error.code]).toEqual([409, 'entry_superseded']);
    expect(error.message).toBe(
      `Entry ${newer.id} has changed the same fields since. Reverse that one first`,
    );
    const { entries } = await list({ entityId: params.id });
    expect(entries.map(({ supersededBy }) => supersededBy)).toEqual([null, null, newer.id]);
    expect((await reverse(newer.id)).status).toBe(200);
    const { user } = (await api.call(userGet, { token: admin.token, params })).answer;
    expect([user.status, user.is_active]).toEqual(['BLOCKED', false]);
  });

  test('refuses to reverse what the service itself has changed since', async () => {
    const id = await insertPost(api.db, await insertUser(api.db));
    const entry = await make(postUpdate, { params: { id }, body: { status: 'PROCESSING' } });
    await api.db.execute(sql`update posts set status = 'COMPLETED' where id = ${id}`);
    expect((await reverse(entry.id)).error.code).toBe('entry_superseded');
  });

  test('says why an entry is final, and refuses to reverse it with that reason', async () => {
    const user = await insertUser(api.db);
    const params = { id: await insertPost(api.db, user) };
    const deleted = await make(postDelete, { params });
    const { error } = await reverse(deleted.id);
    expect([error.code, error.message]).toEqual(['entry_final', deleted.finalReason]);
    const failed = { params: { id: await insertPost(api.db, user) }, body: { status: 'FAILED' } };
    expect((await make(postUpdate, failed)).finalReason).toBe(
      'A completed or failed post keeps its status.',
    );
    expect((await reverse('0')).error.code).toBe('audit_entry_not_found');
    expect((await reverse('no-number')).error.code).toBe('audit_entry_not_found');
  });

  test('two reversals of one entry make one change', async () => {
    const params = { id: await insertUser(api.db) };
    const { id } = await make(userUpdate, { params, body: { status: 'BLOCKED' } });
    const statuses = (await Promise.all([reverse(id), reverse(id)])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await list({ entityId: params.id })).entries).toHaveLength(2);
  });

  test('reads no filter by scanning the log', async () => {
    for (const [query, index] of [
      [{ actor: 'ana' }, 'audit_log_actor'],
      [{ action: 'userUpdate' }, 'audit_log_action'],
      [{ entity: 'settings' }, 'audit_log_entity'],
      [{ entityId: uuidV7() }, 'audit_log_entity_id'],
      [{ batch: uuidV7() }, 'audit_log_batch'],
      [{ from: '2026-01-01T00:00:00.000Z' }, 'audit_log_at'],
    ] as const) {
      const plan = await explained(api.db, query);
      expect(plan).toContain(`${index} `);
      expect(plan).not.toContain('Seq Scan on audit_log');
    }
  });
});

/** The plan of a read when the log is large; here it is small enough to be scanned. */
async function explained(db: Database, query: Record<string, string>): Promise<string> {
  const plans: string[] = [];
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    await tx.execute(sql`set local enable_bitmapscan = off`);
    const many: typeof tx.many = async (statement) => {
      const rows = await tx.many<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return [];
    };
    await listEntries({ ...tx, many }, { ...auditList.query.parse(query) });
  });
  return plans.join();
}

describe.each(EITHER)('changes of many rows in the history of one, on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await api.signIn('ana');
  });

  const list = async (entity: string, entityId: string) =>
    (await api.call(auditList, { token: admin.token, query: { entity, entityId } })).answer.entries;
  /** What each entry about it did, the latest first. */
  const history = async (entity: string, id: string) =>
    (await list(entity, id)).map(({ action, after }) => after?.['action'] ?? action);
  const change = (
    action: 'userStatus' | 'assignmentRevoke' | 'postCancel',
    ids: string[],
    value?: string,
  ) => bulkCalls(api, admin).change({ action, selection: { ids }, ...(value && { value }) });

  test('stand there once for every row that they changed, and for no other', async () => {
    const [changed, unchanged] = [await insertUser(api.db), await insertUser(api.db)];
    const [cancelled, completed] = [
      await insertPost(api.db, changed),
      await insertPost(api.db, changed, { status: 'COMPLETED' }),
    ];
    const { assignmentId } = await grantPlan(api.db, changed);
    await change('userStatus', [unchanged], 'BLOCKED');
    await change('userStatus', [changed, unchanged], 'BLOCKED');
    await change('assignmentRevoke', [assignmentId]);
    await change('postCancel', [cancelled, completed]);

    expect(await history('user', changed)).toEqual(['assignmentRevoke', 'userStatus']);
    expect(await history('user', unchanged)).toEqual(['userStatus']);
    expect(await history('post', cancelled)).toEqual(['postCancel']);
    expect(await history('post', completed)).toEqual([]);
  });

  test('are named by the refusal to reverse what they have changed since', async () => {
    const params = { id: await insertUser(api.db) };
    const body = { status: 'SUSPENDED' };
    await api.call(userUpdate, { token: admin.token, params, body });
    const [entry] = await list('user', params.id);
    await change('userStatus', [params.id], 'RESTRICTED');
    const reversed = { token: admin.token, params: { id: entry?.id ?? '' } };
    const { status, error } = await api.call(auditReverse, reversed);
    expect([status, error?.message]).toEqual([
      409,
      'A change of many rows or the service itself has changed this since, so it was not reversed',
    ]);
  });
});
