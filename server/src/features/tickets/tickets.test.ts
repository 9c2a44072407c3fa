import { assignmentList, assignmentRevoke } from '@meridian/contract/assignments';
import { planCreate, planSetActive, planUpdate } from '@meridian/contract/plans';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import {
  TICKET_CODE_ALPHABET,
  ticketGet,
  ticketIssue,
  ticketList,
  ticketRevoke,
} from '@meridian/contract/tickets';
import type { Ticket } from '@meridian/contract/tickets';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { EITHER, ENGINES, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import {
  insertTicket,
  planBody,
  redeem,
  redeemById,
  planUpdate as updateBody,
} from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { HOST } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
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
    // Proves 3.22
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

    // Proves 3.23
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

    // Proves 4.16
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

const NOT_AVAILABLE = 'Choose an active plan that is not free';

describe.each(EITHER)('the rules of tickets on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;
  let plan: Plan;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    plan = await test.context.plans.create(HOST, planBody());
  });

  const issue = (body: object = {}) =>
    test.call(ticketIssue, { token, body: { planId: plan.id, validDays: 30, ...body } });
  const accepted = async (body: object) => (await issue(body)).answer.ticket;
  const count = async () =>
    (await test.db.one<{ n: number }>(sql`select count(*) as n from tickets`)).n;
  const makePlan = (fields: Partial<PlanCreateBody>) =>
    test.context.plans.create(HOST, planBody(fields));
  /** The first issue of a refused request that left nothing behind. */
  const issueOf = async (body: object) => {
    const before = await count();
    const { status, error } = await issue(body);
    const stored = (await count()) - before;
    const [first] = error.issues ?? [];
    return { status, code: error.code, message: error.message, at: first?.path, stored };
  };
  const clock = async (offset: string) => {
    const { at } = await test.db.one<{ at: string }>(sql`select now() + ${offset}::interval as at`);
    return at;
  };

  // Proves 5.19
  it('takes only an active plan that is not free, hidden ones included', async () => {
    const hidden = await makePlan({ isVisible: false });
    expect((await accepted({ planId: hidden.id })).planId).toBe(hidden.id);
    const free = await makePlan({ tier: 'FREE' });
    const inactive = await makePlan({ isActive: false });
    for (const planId of [free.id, inactive.id, uuidV7(), 'basic', plan.name]) {
      expect(await issueOf({ planId })).toEqual(refusedAt('planId', NOT_AVAILABLE));
    }
    expect(await issueOf({ planId: undefined })).toEqual(refusedAt('planId', 'Plan is required'));
    expect(await issueOf({ planId: '' })).toEqual(refusedAt('planId', 'Plan is required'));
  });

  it.each([
    { validDays: 1, maxRedemptions: 1 },
    { validDays: 3650, maxRedemptions: 10_000 },
  ])('stores %j, the ends of the bounds', async (fields) => {
    expect(await accepted(fields)).toMatchObject(fields);
  });

  it('is valid for 30 days and redeemed once unless it says otherwise', async () => {
    const body = { planId: plan.id };
    const { ticket } = (await test.call(ticketIssue, { token, body })).answer;
    expect(ticket).toMatchObject({ validDays: 30, maxRedemptions: 1 });
    const unlimited = { ...body, maxRedemptions: null };
    const answer = await test.call(ticketIssue, { token, body: unlimited });
    expect(answer.answer.ticket.maxRedemptions).toBeNull();
    const message = 'Valid days must be a whole number from 1 to 3650';
    expect(await issueOf({ validDays: null })).toEqual(refusedAt('validDays', message));
  });

  // Proves 3.24, 5.22
  it('keeps overrides to their values, and knows no more than seven', async () => {
    for (const minutes of [1, 5, 10, 15]) {
      const limitsOverride = { schedule_interval_minutes: minutes, thread_posts: minutes > 5 };
      expect((await accepted({ limitsOverride })).limitsOverride).toEqual(limitsOverride);
    }
    expect(await issueOf({ limitsOverride: { schedule_interval_minutes: 20 } })).toEqual(
      refusedAt(
        'limitsOverride.schedule_interval_minutes',
        'Schedule interval must be one of 1, 5, 10, 15',
      ),
    );
    expect(await issueOf({ limitsOverride: { thread_posts: 1 } })).toEqual(
      refusedAt('limitsOverride.thread_posts', 'Thread posts must be true or false'),
    );
    expect(await issueOf({ limitsOverride: { storage_mb: 5 } })).toEqual(
      refusedAt('limitsOverride', 'Unknown field: storage_mb'),
    );
  });

  it('wants a deadline that is still to come, by the clock of the database', async () => {
    const soon = await clock('5 minutes');
    expect((await accepted({ redemptionDeadline: soon })).redemptionDeadline).toBe(soon);
    const message = 'Redemption deadline must be in the future';
    for (const offset of ['-1 millisecond', '-1 day']) {
      expect(await issueOf({ redemptionDeadline: await clock(offset) })).toEqual(
        refusedAt('redemptionDeadline', message),
      );
    }
  });

  it('refuses a deadline without a zone, or of another century', async () => {
    expect(await issueOf({ redemptionDeadline: '2099-06-30T12:00:00' })).toEqual(
      refusedAt(
        'redemptionDeadline',
        'Redemption deadline must be a date and time with a zone, between 2000 and 2100',
      ),
    );
    expect(await issueOf({ redemptionDeadline: '1999-12-31T00:00:00Z' })).toEqual(
      refusedAt('redemptionDeadline', 'Redemption deadline must be between 2000 and 2100'),
    );
  });

  it('takes a memo of up to a thousand characters, as text', async () => {
    const memo = '<b>Ünïcode</b> 🎟️\nsecond line';
    expect((await accepted({ memo })).memo).toBe(memo);
    expect((await accepted({ memo: 'x'.repeat(1000) })).memo).toHaveLength(1000);
    expect(await issueOf({ memo: 'x'.repeat(1001) })).toEqual(
      refusedAt('memo', 'Memo must be at most 1000 characters'),
    );
    const answer = await issue({ memo: 'nul \u0000 here' });
    expect(answer.status).toBe(400);
  });

  it('refuses a field it does not know', async () => {
    expect(await issueOf({ code: 'AAAA-BBBB-CCCC-DDDD' })).toEqual(
      refusedAt('', 'Unknown field: code'),
    );
    expect(await issueOf({ redemptionCount: 5 })).toEqual(
      refusedAt('', 'Unknown field: redemptionCount'),
    );
  });
});

function refusedAt(at: string, message: string) {
  return { ...catalogued('invalid_input', message), at, stored: 0 };
}

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

const FORM = /^[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}$/;

describe('the code of a new ticket', () => {
  it('groups sixteen unambiguous letters by four', () => {
    const bytes = Uint8Array.from({ length: 16 }, (_, at) => at);
    expect(newTicketCode(bytes)).toBe('2345-6789-ABCD-EFGH');
    expect(newTicketCode(bytes.map((byte) => 255 - byte))).toBe('ZYXW-VUTS-RQPN-MLKJ');
    for (let count = 0; count < 100; count += 1) expect(newTicketCode()).toMatch(FORM);
  });

  it('reaches every letter from equally many bytes', () => {
    const reached = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const letter = newTicketCode(new Uint8Array(16).fill(byte)).charAt(0);
      reached.set(letter, (reached.get(letter) ?? 0) + 1);
    }
    expect([...reached.keys()].toSorted().join('')).toBe(TICKET_CODE_ALPHABET);
    expect(new Set(reached.values())).toEqual(new Set([8]));
  });
});

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
