import { beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertTicket, planBody, redeem } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import { newTicketCode } from './tickets.service.ts';

describe.each(ENGINES)('redeeming a ticket on %s', (engine) => {
  const api = setUpApp(engine);
  let planId: string;
  let adminId: string;
  beforeAll(async () => {
    ({ adminId } = await api.signIn());
    planId = (await api.context.plans.create(HOST, planBody())).id;
  });

  const ticket = async (fields: Parameters<typeof insertTicket>[3] = {}) => {
    const code = newTicketCode();
    return { code, id: await insertTicket(api.db, planId, adminId, { code, ...fields }) };
  };

  test('grants the plan for as many days as the ticket says', async () => {
    const user = await insertUser(api.db);
    const { code, id } = await ticket();
    const granted = await redeem(api.db, code, user);
    if (granted.result !== 'redeemed') throw new Error(granted.result);
    const stored = await api.db.one(sql`
      select id, user_id, plan_id, ticket_id, status,
             expires_at = activated_at + interval '720 hours' as "isThirtyDays",
             created_at = activated_at as "isAtOnce",
             activated_at between now() - interval '1 minute' and clock_timestamp() as "isNow"
      from plan_assignments where ticket_id = ${id}`);
    expect(stored).toEqual({
      id: granted.assignmentId,
      user_id: user,
      plan_id: planId,
      ticket_id: id,
      status: 'ACTIVE',
      isThirtyDays: true,
      isAtOnce: true,
      isNow: true,
    });
    // Of the kind that sorts by time.
    expect(granted.assignmentId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
  });

  const PAST = '2026-01-01T00:00:00.000Z';
  test.each([
    ['revoked', { status: 'REVOKED' }, {}],
    ['expired', { redemption_deadline: PAST }, {}],
    ['expired', { status: 'EXPIRED' }, {}],
    ['used_up', { status: 'ACTIVE', redemption_count: 1 }, {}],
    ['user_inactive', {}, { is_active: false }],
    ['user_inactive', {}, { status: 'SUSPENDED' }],
    ['user_inactive', {}, { status: 'BLOCKED' }],
    ['upgrade_prohibited', {}, { upgrade_prohibited: true }],
  ] as const)('answers %s for %o and %o, and changes nothing', async (result, how, who) => {
    const user = await insertUser(api.db, who);
    const { code, id } = await ticket(how);
    const read = () => api.db.one(sql`select t::text as row from tickets t where id = ${id}`);
    const before = await read();
    expect(await redeem(api.db, code, user)).toEqual({ result });
    expect(await read()).toEqual(before);
  });

  test('takes a restricted user, and who redeemed already hears that first', async () => {
    const user = await insertUser(api.db, { status: 'RESTRICTED' });
    const { code } = await ticket();
    expect((await redeem(api.db, code, user)).result).toBe('redeemed');
    expect((await redeem(api.db, code, user)).result).toBe('already_redeemed');
    expect((await redeem(api.db, code, await insertUser(api.db))).result).toBe('used_up');
  });

  test('knows neither other codes nor other people', async () => {
    const { code } = await ticket();
    const user = await insertUser(api.db);
    for (const other of [newTicketCode(), code.toLowerCase(), '']) {
      expect((await redeem(api.db, other, user)).result).toBe('unknown');
    }
    const unknown = '01890000-0000-7000-8000-000000000000';
    expect((await redeem(api.db, code, unknown)).result).toBe('user_inactive');
  });
});
