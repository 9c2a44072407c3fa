import { assignmentList, assignmentRevoke } from '@meridian/contract/assignments';
import { planCreate } from '@meridian/contract/plans';
import { ticketGet, ticketIssue, ticketList, ticketRevoke } from '@meridian/contract/tickets';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { planBody, redeem } from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';

const LIMITS = { monthly_posts_limit: 10, max_post_length: 300 };
const OVERRIDE = { monthly_posts_limit: 500, thread_posts: true };

describe.each(EITHER)('what a redeemed ticket grants on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;
  let planId: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    const body = planBody({ limits: LIMITS });
    planId = (await test.call(planCreate, { token, body })).answer.plan.id;
  });

  const issue = async (fields: object = {}) =>
    (await test.call(ticketIssue, { token, body: { planId, ...fields } })).answer.ticket;
  const detail = async (id: string) =>
    (await test.call(ticketGet, { token, params: { id } })).answer;
  const assignmentsOf = async (id: string) =>
    (await test.call(assignmentList, { token, params: { id } })).answer.assignments;
  const counts = async () =>
    (await test.call(ticketList, { token, query: { limit: '100' } })).answer.counts;
  const passDeadline = (id: string) =>
    test.db.execute(sql`
      update tickets set redemption_deadline = now() - interval '1 second' where id = ${id}`);

  it('carries the overrides of the ticket, and null without any', async () => {
    const user = await insertUser(test.db);
    const [plain, special] = [await issue(), await issue({ limitsOverride: OVERRIDE })];
    for (const { code } of [plain, special]) await redeem(test.db, code, user);
    const mine = await assignmentsOf(user);
    expect(mine.map(({ ticket, limitsOverride }) => [ticket?.id, limitsOverride])).toEqual([
      [special.id, OVERRIDE],
      [plain.id, null],
    ]);
    const { assignments } = await detail(special.id);
    expect(assignments.map(({ limitsOverride }) => limitsOverride)).toEqual([OVERRIDE]);
    const inForce = await test.db.many(sql`
      select effective_limits(${user}) as limits`);
    expect(inForce).toEqual([{ limits: { ...LIMITS, ...OVERRIDE } }]);
  });

  it('is over for every reader once an assignment has run out', async () => {
    const user = await insertUser(test.db);
    const ticket = await issue();
    await redeem(test.db, ticket.code, user);
    await test.db.execute(sql`
      update plan_assignments set activated_at = now() - interval '2 days',
        expires_at = now() - interval '1 second'
      where user_id = ${user}`);
    const [assignment] = await assignmentsOf(user);
    expect(assignment?.status).toBe('EXPIRED');
    expect((await detail(ticket.id)).assignments[0]?.status).toBe('EXPIRED');
    const params = { id: user, assignmentId: assignment?.id ?? '' };
    const refused = await test.call(assignmentRevoke, { token, params });
    expect(refusal(refused)).toEqual(catalogued('assignment_not_revocable'));
  });

  it.each(['UNUSED', 'ACTIVE'])(
    'ends for every reader when the deadline of an %s ticket passes',
    async (status) => {
      const ticket = await issue({ maxRedemptions: null });
      if (status === 'ACTIVE') await redeem(test.db, ticket.code, await insertUser(test.db));
      const before = await counts();
      await passDeadline(ticket.id);
      expect((await detail(ticket.id)).ticket.status).toBe('EXPIRED');
      const { tickets } = (await test.call(ticketList, { token })).answer;
      expect(tickets.find(({ id }) => id === ticket.id)?.status).toBe('EXPIRED');
      const query = { status: 'EXPIRED' };
      const expired = (await test.call(ticketList, { token, query })).answer.tickets;
      expect(expired.map(({ id }) => id)).toContain(ticket.id);
      expect((await counts())?.EXPIRED).toBe((before?.EXPIRED ?? 0) + 1);
      const refused = await test.call(ticketRevoke, { token, params: { id: ticket.id } });
      expect(refusal(refused)).toEqual(catalogued('ticket_not_revocable'));
      const late = await redeem(test.db, ticket.code, await insertUser(test.db));
      expect(late.result).toBe('expired');
    },
  );

  it('is over at the very moment of the deadline and of the end', async () => {
    const moment = sql`timestamptz '2026-05-01 12:00:00Z'`;
    expect(
      await test.db.one(sql`
        select ticket_status('UNUSED', ${moment}, ${moment}) as ticket,
               ticket_status('UNUSED', ${moment}, ${moment} - interval '1 ms') as before,
               assignment_status('ACTIVE', ${moment}, ${moment}) as assignment,
               assignment_status('REVOKED', ${moment}, ${moment}) as revoked,
               assignment_status('ACTIVE', null, ${moment}) as endless`),
    ).toEqual({
      ticket: 'EXPIRED',
      before: 'UNUSED',
      assignment: 'EXPIRED',
      revoked: 'REVOKED',
      endless: 'ACTIVE',
    });
  });
});
