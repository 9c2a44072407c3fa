import { planSetActive } from '@meridian/contract/plans';
import { ticketIssue, ticketRevoke } from '@meridian/contract/tickets';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { insertTicket, planBody, redeemById } from '../../../test/plan-fixtures.ts';
import { queueUp } from '../../../test/queue-up.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const ROUNDS = 25;

describe.each(ENGINES)('tickets used by several at once on %s', (engine) => {
  const test = setUpApp(engine);
  let admin: SignedIn;
  let token: string;
  let planId: string;

  beforeAll(async () => {
    admin = await test.signIn();
    ({ token } = admin);
    planId = (await test.context.plans.create(HOST, planBody())).id;
  });

  const revoke = (id: string) => test.call(ticketRevoke, { token, params: { id } });
  const issue = (planId: string) => () =>
    test.call(ticketIssue, { token, body: { planId, validDays: 30 } });
  const deactivate = (id: string) => () =>
    test.call(planSetActive, { token, params: { id }, body: { isActive: false } });
  const redeem = (id: string, userId: string) => redeemById(test.db, id, userId);
  const stored = (id: string) =>
    test.db.one<{ status: string; redemption_count: number; grants: number }>(sql`
      select status, redemption_count,
             (select count(*) from plan_assignments where ticket_id = t.id) as grants
      from tickets t where id = ${id}`);

  it('revokes once, however many revoke at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await insertTicket(test.db, planId, admin.adminId);
      const answers = await Promise.all(Array.from({ length: 8 }, () => revoke(id)));
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(7);
      for (const answer of refused) {
        expect(refusal(answer)).toEqual(catalogued('ticket_not_revocable'));
      }
    }
  });

  it('refuses who redeems a ticket that was revoked while they waited', async () => {
    const userId = await insertUser(test.db);
    const id = await insertTicket(test.db, planId, admin.adminId);
    const [revoked, grant] = await queueUp(test.db, ticketLock(id), [
      () => revoke(id),
      () => redeem(id, userId),
    ]);
    expect([revoked.status, grant]).toEqual([200, null]);
    expect(await stored(id)).toEqual({ status: 'REVOKED', redemption_count: 0, grants: 0 });
  });

  it('refuses who revokes a ticket that was redeemed while they waited', async () => {
    const userId = await insertUser(test.db);
    const id = await insertTicket(test.db, planId, admin.adminId);
    const [grant, revoked] = await queueUp(test.db, ticketLock(id), [
      () => redeem(id, userId),
      () => revoke(id),
    ]);
    expect(grant).not.toBeNull();
    expect(refusal(revoked)).toEqual(catalogued('ticket_not_revocable'));
    expect(await stored(id)).toEqual({ status: 'ACTIVE', redemption_count: 1, grants: 1 });
  });

  describe('a plan deactivated while a ticket is issued for it', () => {
    it('waits for the ticket that came first', async () => {
      const { id } = await test.context.plans.create(HOST, planBody());
      const calls = [issue(id), deactivate(id)] as const;
      const [issued, deactivated] = await queueUp(test.db, planLock(id), calls);
      expect([issued.status, deactivated.status]).toEqual([201, 200]);
    });

    it('gets no ticket that came later', async () => {
      const { id } = await test.context.plans.create(HOST, planBody());
      const calls = [deactivate(id), issue(id)] as const;
      const [deactivated, issued] = await queueUp(test.db, planLock(id), calls);
      expect(deactivated.status).toBe(200);
      const sentence = 'Choose an active plan that is not free';
      expect(refusal(issued)).toEqual(catalogued('invalid_input', sentence));
    });
  });
});

function ticketLock(id: string): Sql {
  return sql`select from tickets where id = ${id} for update`;
}

function planLock(id: string): Sql {
  return sql`select from plans where id = ${id} for update`;
}
