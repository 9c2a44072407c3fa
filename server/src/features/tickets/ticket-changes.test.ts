import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertTicket, planBody } from '../../../test/plan-fixtures.ts';
import type { TicketFixture } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/author.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { newTicketCode } from './ticket-code.ts';

const CHECK_VIOLATION = '23514';

const UNUSED: TicketFixture = {};
const ACTIVE: TicketFixture = { status: 'ACTIVE', redemption_count: 2, max_redemptions: 5 };
const EXPIRED: TicketFixture = { status: 'EXPIRED' };
const REVOKED: TicketFixture = { status: 'REVOKED' };

const REDEEMED = sql`status = 'ACTIVE', redemption_count = 1`;
const ANOTHER_PLAN = sql`plan_id = (select p.id from plans p where p.id <> tickets.plan_id limit 1)`;
const ANOTHER_CODE = sql`code = ${newTicketCode()}`;
/** What may change at any time. */
const THE_REST = sql`memo = 'another', redemption_deadline = now(), valid_days = 7,
  max_redemptions = 9, updated_at = now()`;

describe.each(EITHER)('a ticket that another program changes on %s', (engine) => {
  const test = setUpApp(engine);
  let planId: string;
  let adminId: string;

  beforeAll(async () => {
    ({ adminId } = await test.signIn());
    planId = (await test.context.plans.create(HOST, planBody())).id;
    await test.context.plans.create(HOST, planBody());
  });

  const insert = (fields: TicketFixture) => insertTicket(test.db, planId, adminId, fields);
  const change = (id: string, to: Sql) =>
    test.db.execute(sql`update tickets set ${to} where id = ${id}`);
  const stored = (id: string) =>
    test.db.one(sql`select t::text as row from tickets t where id = ${id}`);

  it.each<[string, TicketFixture, Sql, string, string]>([
    ['its code', UNUSED, ANOTHER_CODE, 'code_immutable', 'code of tickets cannot be changed'],
    ['its plan', ACTIVE, ANOTHER_PLAN, 'plan_immutable', 'plan_id of tickets cannot be changed'],
    ['REVOKED', REVOKED, sql`status = 'UNUSED'`, 'final_status', 'a REVOKED ticket is final'],
    ['REVOKED', REVOKED, sql`status = 'EXPIRED'`, 'final_status', 'a REVOKED ticket is final'],
    ['REVOKED', REVOKED, REDEEMED, 'final_status', 'a REVOKED ticket is final'],
    ['EXPIRED', EXPIRED, sql`status = 'UNUSED'`, 'final_status', 'a EXPIRED ticket is final'],
    ['EXPIRED', EXPIRED, sql`status = 'REVOKED'`, 'final_status', 'a EXPIRED ticket is final'],
    ['EXPIRED', EXPIRED, REDEEMED, 'final_status', 'a EXPIRED ticket is final'],
    [
      'ACTIVE, by a revocation',
      ACTIVE,
      sql`status = 'REVOKED', redemption_count = 0`,
      'only_unused_revoked',
      'a ACTIVE ticket cannot be revoked',
    ],
    [
      'ACTIVE, by forgetting that it was redeemed',
      ACTIVE,
      sql`status = 'UNUSED', redemption_count = 0`,
      'redemptions_never_fall',
      'a ACTIVE ticket keeps its redemptions',
    ],
    [
      'any of its redemptions',
      ACTIVE,
      sql`redemption_count = redemption_count - 1`,
      'redemptions_never_fall',
      'a ACTIVE ticket keeps its redemptions',
    ],
  ])('does not lose %s (%#)', async (_, from, to, rule, message) => {
    const id = await insert(from);
    const before = await stored(id);
    await expect(change(id, to)).rejects.toMatchObject({
      code: CHECK_VIOLATION,
      constraint: `tickets_${rule}`,
      message,
    });
    expect(await stored(id)).toEqual(before);
  });

  it.each<[string, TicketFixture, Sql]>([
    ['redeemed', UNUSED, REDEEMED],
    ['redeemed again', ACTIVE, sql`redemption_count = redemption_count + 1`],
    ['revoked while unused', UNUSED, sql`status = 'REVOKED'`],
    ['set to EXPIRED while unused', UNUSED, sql`status = 'EXPIRED'`],
    ['set to EXPIRED after its use', ACTIVE, sql`status = 'EXPIRED'`],
    ['changed otherwise while unused', UNUSED, THE_REST],
    ['changed otherwise once revoked', REVOKED, THE_REST],
    ['changed otherwise once expired', EXPIRED, THE_REST],
  ])('can be %s', async (_, from, to) => {
    const id = await insert(from);
    const before = await stored(id);
    expect(await change(id, to)).toBe(1);
    expect(await stored(id)).not.toEqual(before);
  });

  it('can be written back as it is', async () => {
    for (const fields of [UNUSED, ACTIVE, EXPIRED, REVOKED]) {
      const id = await insert(fields);
      const before = await stored(id);
      const same = sql`code = code, plan_id = plan_id, status = status,
        redemption_count = redemption_count`;
      expect(await change(id, same)).toBe(1);
      expect(await stored(id)).toEqual(before);
    }
  });
});
