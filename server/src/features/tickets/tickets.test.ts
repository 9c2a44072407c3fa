import { planSetActive, planUpdate } from '@meridian/contract/plans';
import { ticketGet, ticketIssue, ticketList, ticketRevoke } from '@meridian/contract/tickets';
import type { Ticket } from '@meridian/contract/tickets';
import type { Plan } from '@meridian/contract/plans';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import {
  insertTicket,
  planBody,
  planUpdate as updateBody,
  redeemById,
} from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';
import { createTicketsService, newTicketCode } from './tickets.service.ts';

const PAST = '2026-01-01T00:00:00.000Z';
const FUTURE = '2099-06-30T12:00:00.000Z';

describe.each(EITHER)('tickets on %s', (engine) => {
  const test = setUpApp(engine);
  let admin: SignedIn;
  let token: string;
  let plan: Plan;

  beforeAll(async () => {
    admin = await test.signIn('grace');
    ({ token } = admin);
    await test.db.execute(sql`
      update admins set display_name = 'Grace Hopper' where id = ${admin.adminId}`);
    plan = await test.context.plans.create(HOST, planBody({ tier: 'PREMIUM', isVisible: false }));
  });

  const issue = (body: object = {}) =>
    test.call(ticketIssue, { token, body: { planId: plan.id, validDays: 30, ...body } });
  const issued = async (body: object = {}): Promise<Ticket> => (await issue(body)).answer.ticket;
  const get = async (id: string) => (await test.call(ticketGet, { token, params: { id } })).answer;
  const list = async () => (await test.call(ticketList, { token })).answer.tickets;
  const at = (issued_at: string) => insertTicket(test.db, plan.id, admin.adminId, { issued_at });
  const revoke = (id: string) => test.call(ticketRevoke, { token, params: { id } });

  describe('issue', () => {
    it('answers a ticket with a code, its plan and its issuer', async () => {
      const body = {
        maxRedemptions: 5,
        redemptionDeadline: '2099-06-30T14:00:00+02:00',
        memo: '  For the conference ',
        limitsOverride: { monthly_posts_limit: -1, thread_posts: true },
      };
      const { status, answer } = await issue(body);
      expect(status).toBe(201);
      const { ticket } = answer;
      expect(ticket).toEqual({
        id: ticket.id,
        code: expect.stringMatching(/^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$/),
        status: 'UNUSED',
        planId: plan.id,
        plan: {
          id: plan.id,
          name: plan.name,
          displayName: plan.displayName,
          tier: 'PREMIUM',
          limits: plan.limits,
        },
        issuer: { displayName: 'Grace Hopper', handle: 'grace' },
        validDays: 30,
        maxRedemptions: 5,
        redemptionCount: 0,
        issuedAt: ticket.issuedAt,
        redemptionDeadline: FUTURE,
        updatedAt: ticket.issuedAt,
        memo: 'For the conference',
        limitsOverride: { monthly_posts_limit: -1, thread_posts: true },
      });
      expect(await get(ticket.id)).toEqual({ ticket, assignments: [] });
    });

    it('fills what is left out, and stores nothing for what is empty', async () => {
      const bare = {
        maxRedemptions: 1,
        redemptionDeadline: null,
        memo: null,
        limitsOverride: null,
      };
      expect(await issued()).toMatchObject(bare);
      expect(await issued({ memo: '  ', limitsOverride: {} })).toMatchObject(bare);
      expect(await issued({ ...bare, maxRedemptions: null })).toMatchObject({
        ...bare,
        maxRedemptions: null,
      });
    });

    it('names an issuer without a display name by the handle', async () => {
      const other = await test.signIn('ada');
      const body = { planId: plan.id, validDays: 1 };
      const { answer } = await test.call(ticketIssue, { token: other.token, body });
      expect(answer.ticket.issuer).toEqual({ displayName: null, handle: 'ada' });
    });

    it('tries another code when one is taken', async () => {
      const { code } = await issued();
      const codes = [code, code, 'AAAA-BBBB-CCCC-DDDD'];
      const issuer = { ...HOST, adminId: admin.adminId };
      const unlucky = createTicketsService(test.db, () => codes.shift() ?? code);
      const body = { planId: plan.id, validDays: 30, maxRedemptions: 1 };
      const ticket = await unlucky.issue(issuer, body);
      expect(ticket.code).toBe('AAAA-BBBB-CCCC-DDDD');
      // From here on every code is taken.
      await expect(unlucky.issue(issuer, body)).rejects.toMatchObject({
        constraint: 'tickets_code_key',
      });
    });
  });

  describe('list', () => {
    beforeEach(() => test.db.execute(sql`delete from tickets`));

    it('shows every ticket, newest first', async () => {
      const old = await at('2026-01-01T00:00:00.000Z');
      const recent = await at('2026-03-01T00:00:00.000Z');
      const twins = [await at('2026-02-01T00:00:00.000Z'), await at('2026-02-01T00:00:00.000Z')];
      const tickets = await list();
      expect(tickets.map(({ id }) => id)).toEqual([recent, ...twins.toSorted().toReversed(), old]);
      for (const ticket of tickets) {
        // The same but for the plan's limits, which thousands of tickets need not repeat.
        expect((await get(ticket.id)).ticket).toMatchObject(ticket);
        expect(ticket.plan).not.toHaveProperty('limits');
      }
      expect(tickets[0]?.plan).toMatchObject({ id: plan.id, tier: 'PREMIUM' });
    });

    it('leaves none out of ten thousand', async () => {
      const codes = Array.from({ length: 10_000 }, () => newTicketCode());
      // In parts, for the statement timeout on a busy machine.
      for (let from = 0; from < codes.length; from += 2_000) {
        await test.db.execute(sql`
          insert into tickets (id, code, plan_id, issuer_id, valid_days, issued_at)
          select gen_random_uuid(), code, ${plan.id}, ${admin.adminId}, 30,
                 timestamptz '2026-03-01Z' - (${from} + place) * interval '1 second'
          from unnest(${codes.slice(from, from + 2_000)}::text[]) with ordinality as made (code, place)`);
      }
      expect((await list()).map(({ code }) => code)).toEqual(codes);
    });

    it('is empty when there is none', async () => {
      expect(await list()).toEqual([]);
    });

    it.each([
      ['UNUSED', 0, null, 'UNUSED'],
      ['UNUSED', 0, FUTURE, 'UNUSED'],
      ['UNUSED', 0, PAST, 'EXPIRED'],
      ['ACTIVE', 1, FUTURE, 'ACTIVE'],
      ['ACTIVE', 1, PAST, 'EXPIRED'],
      ['REVOKED', 0, FUTURE, 'REVOKED'],
      ['REVOKED', 0, PAST, 'EXPIRED'],
      ['EXPIRED', 0, null, 'EXPIRED'],
    ] as const)('counts %s, used %i times, until %s as %s', async (status, used, until, shown) => {
      const id = await insertTicket(test.db, plan.id, admin.adminId, {
        status,
        redemption_count: used,
        redemption_deadline: until,
      });
      expect((await list())[0]).toMatchObject({ id, status: shown, redemptionDeadline: until });
      expect((await get(id)).ticket.status).toBe(shown);
    });
  });

  describe('get', () => {
    it('brings those who redeemed it, latest first, and nobody else', async () => {
      const ticket = await issued({ maxRedemptions: 3 });
      const other = await issued();
      const users = [
        await insertUser(test.db, { display_name: 'First' }),
        await insertUser(test.db, { display_name: 'Second' }),
      ];
      for (const user of users) {
        await redeemById(test.db, ticket.id, user);
      }
      await redeemById(test.db, other.id, users[0] ?? '');

      const answer = await get(ticket.id);
      expect(answer.ticket).toMatchObject({ status: 'ACTIVE', redemptionCount: 2 });
      expect(answer.assignments).toMatchObject([
        { user: { displayName: 'Second' }, status: 'ACTIVE', plan: { id: plan.id } },
        { user: { displayName: 'First' }, ticket: { id: ticket.id, code: ticket.code } },
      ]);
      expect((await get(other.id)).assignments).toHaveLength(1);
    });

    it('shows the plan as it is now', async () => {
      const own = await test.context.plans.create(HOST, planBody({ tier: 'BASIC' }));
      const ticket = await issued({ planId: own.id });
      const params = { id: own.id };
      const body = updateBody({ displayName: { en: 'Renamed' }, isActive: false });
      await test.call(planUpdate, { token, params, body });
      const { plan: shown } = (await get(ticket.id)).ticket;
      expect(shown).toMatchObject({ name: body.name, displayName: { en: 'Renamed' } });
    });
  });

  describe('revoke', () => {
    it('revokes an unused ticket, and no other', async () => {
      const neighbour = await issued();
      const before = await issued({ redemptionDeadline: FUTURE, memo: 'Lost' });
      const { status, answer } = await revoke(before.id);
      expect(status).toBe(200);
      const { ticket } = answer;
      expect(ticket).toEqual({ ...before, status: 'REVOKED', updatedAt: ticket.updatedAt });
      expect(ticket.updatedAt > before.updatedAt).toBe(true);
      expect((await get(before.id)).ticket).toEqual(ticket);
      expect((await get(neighbour.id)).ticket).toEqual(neighbour);
    });

    it('revokes a ticket of a plan that was deactivated since', async () => {
      const own = await test.context.plans.create(HOST, planBody());
      const { id } = await issued({ planId: own.id });
      await test.call(planSetActive, { token, params: { id: own.id }, body: { isActive: false } });
      expect((await revoke(id)).status).toBe(200);
    });

    it.each([
      ['ACTIVE', 1, null],
      ['ACTIVE', 1, PAST],
      ['REVOKED', 0, null],
      ['EXPIRED', 0, null],
      ['UNUSED', 0, PAST],
    ] as const)('refuses %s, used %i times, until %s', async (status, used, until) => {
      const id = await insertTicket(test.db, plan.id, admin.adminId, {
        status,
        redemption_count: used,
        redemption_deadline: until,
      });
      const before = await get(id);
      expect(refusal(await revoke(id))).toEqual(
        catalogued('ticket_not_revocable', 'Only an unused ticket can be revoked'),
      );
      expect(await get(id)).toEqual(before);
    });
  });

  describe.each([
    ['get', ticketGet],
    ['revoke', ticketRevoke],
  ] as const)('%s of nothing', (_, endpoint) => {
    it.each([uuidV7(), 'AAAA-BBBB-CCCC-DDDD', "1' or '1'='1"])('answers 404 for %s', async (id) => {
      const answer = await test.call(endpoint, { token, params: { id } });
      expect(refusal(answer)).toEqual(catalogued('ticket_not_found', 'Ticket not found'));
    });
  });
});
