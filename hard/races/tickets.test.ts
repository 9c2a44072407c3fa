import { planSetActive } from '@meridian/contract/plans';
import { ticketIssue, ticketRevoke } from '@meridian/contract/tickets';
import { userRestrict, userUpdate } from '@meridian/contract/users';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { HOST } from '../../server/src/audit/audit.store.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import {
  createTicketsService,
  newTicketCode,
} from '../../server/src/features/tickets/tickets.service.ts';
import { ENGINES, setUpApp } from '../../server/test/app.ts';
import type { SignedIn } from '../../server/test/app.ts';
import { insertUser } from '../../server/test/fixtures.ts';
import { insertTicket, planBody, redeemById } from '../../server/test/plan-fixtures.ts';
import { queueUp } from '../../server/test/queue-up.ts';
import { catalogued, refusal } from '../../server/test/refusal.ts';
import { CROWD, PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { AS_GIVEN, collide, lockTable, overtake, times } from './collide.ts';

describe(`what a ticket depends on, changed at the same moment, ${PLAYED}`, () => {
  let arena: Arena;
  let planId: string;
  beforeAll(async () => {
    arena = await startArena();
    planId = await makePlan();
  });
  afterAll(() => arena.api.close());

  const makePlan = async () => (await arena.api.context.plans.create(HOST, planBody())).id;
  const ticket = () => insertTicket(arena.db, planId, arena.admin.adminId);

  describe.each([
    [
      'upgrades are prohibited',
      (id: string) =>
        arena.api.call(userRestrict, {
          token: arena.token,
          params: { id },
          body: { upgradeProhibited: true },
        }),
    ],
    [
      'the user is made inactive',
      (id: string) =>
        arena.api.call(userUpdate, {
          token: arena.token,
          params: { id },
          body: { is_active: false },
        }),
    ],
  ])('C5: no redemption once %s', (_, forbid) => {
    /**
     * Both moments lie within the time that their writer had the user's row locked, so their order is
     * the order of the two changes.
     */
    const flaw = async (user: string) => {
      const { late } = await arena.db.one<{ late: number }>(sql`
        select count(*) as late from plan_assignments a
        join audit_log l on l.entity_id = a.user_id::text and l.action in ('userRestrict', 'userUpdate')
        where a.user_id = ${user} and a.created_at > l.at`);
      return late === 0 ? null : 'redeemed afterwards';
    };
    /** Looks at the user first, without keeping it from changing. */
    const naiveRedeem = (id: string, user: string) =>
      arena.db.transaction(async (tx) => {
        const seen = await tx.one<{ may: boolean }>(sql`
          select is_active and not upgrade_prohibited as may from users where id = ${user}`);
        if (!seen.may) return;
        await tx.execute(sql`
          update tickets set redemption_count = 1, status = 'ACTIVE' where id = ${id}`);
        await tx.execute(sql`
          insert into plan_assignments (id, user_id, plan_id, ticket_id, created_at)
          values (${uuidV7()}, ${user}, ${planId}, ${id}, clock_timestamp())`);
      });
    const lockTicket = (id: string) => sql`select from tickets where id = ${id} for update`;

    test('the naive version is overtaken', async () => {
      const naive: Round = async () => {
        const user = await insertUser(arena.db);
        const id = await ticket();
        await overtake(
          arena.db,
          lockTicket(id),
          () => naiveRedeem(id, user),
          () => forbid(user),
        );
        return flaw(user);
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('also when it is overtaken', async () => {
      const round: Round = async () => {
        const user = await insertUser(arena.db);
        const id = await ticket();
        await overtake(
          arena.db,
          lockTicket(id),
          () => redeemById(arena.db, id, user),
          () => forbid(user),
        );
        return flaw(user);
      };
      expect(await flawsOf(round)).toEqual([]);
    });

    test('also when both come at once', async () => {
      let granted = 0;
      const round: Round = async (random) => {
        const user = await insertUser(arena.db);
        const id = await ticket();
        const lock = sql`select from users where id = ${user} for update`;
        const sides = [() => redeemById(arena.db, id, user), () => forbid(user)];
        await collide(arena.db, lock, random, sides);
        const { n } = await arena.db.one<{ n: number }>(sql`
          select count(*) as n from plan_assignments where user_id = ${user}`);
        granted += n;
        return flaw(user);
      };
      expect(await flawsOf(round)).toEqual([]);
      // It is not refused out of caution either: who was first got the plan.
      expect(granted).toBeGreaterThan(0);
    });
  });

  describe('C6: no ticket for a plan that is no longer active', () => {
    const issue = (plan: string) =>
      arena.api.call(ticketIssue, {
        token: arena.token,
        body: { planId: plan, validDays: 30 },
      });
    const deactivate = (id: string) =>
      arena.api.call(planSetActive, {
        token: arena.token,
        params: { id },
        body: { isActive: false },
      });
    /** The record is in the order of the commits. */
    const flaw = async (plan: string) => {
      const { late } = await arena.db.one<{ late: number }>(sql`
        select count(*) as late from tickets t
        join audit_log issued on issued.entity_id = t.id::text and issued.action = 'ticketIssue'
        join audit_log off on off.entity_id = t.plan_id::text and off.action = 'planSetActive'
        where t.plan_id = ${plan} and issued.id > off.id`);
      return late === 0 ? null : `${late} issued afterwards`;
    };

    test('the naive version is overtaken', async () => {
      await arena.db.execute(sql`create table naive_tickets (like tickets including defaults)`);
      const naiveIssue = (plan: string) =>
        arena.db.transaction(async (tx) => {
          const seen = await tx.one<{ is_active: boolean }>(sql`
            select is_active from plans where id = ${plan}`);
          if (!seen.is_active) return;
          await tx.execute(sql`
            insert into naive_tickets (id, code, plan_id, issuer_id, valid_days, issued_at)
            values (${uuidV7()}, ${newTicketCode()}, ${plan}, ${arena.admin.adminId}, 30,
                    clock_timestamp())`);
        });
      const naive: Round = async () => {
        const plan = await makePlan();
        await overtake(
          arena.db,
          sql`lock table naive_tickets in exclusive mode`,
          () => naiveIssue(plan),
          () => deactivate(plan),
        );
        const { late } = await arena.db.one<{ late: number }>(sql`
          select count(*) as late from naive_tickets t
          join audit_log off on off.entity_id = t.plan_id::text and off.action = 'planSetActive'
          where t.plan_id = ${plan} and t.issued_at > off.at`);
        return late === 0 ? null : 'issued afterwards';
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('also when it comes while a ticket is being issued', async () => {
      const round: Round = async () => {
        const plan = await makePlan();
        const sides = [() => issue(plan), () => deactivate(plan)];
        await collide(arena.db, lockTable.tickets, AS_GIVEN, sides);
        return flaw(plan);
      };
      expect(await flawsOf(round)).toEqual([]);
    });

    test('also when many issue at once', async () => {
      const ticketsOf = async (plan: string) => {
        const { n } = await arena.db.one<{ n: number }>(sql`
          select count(*) as n from tickets where plan_id = ${plan}`);
        return n;
      };
      const round: Round = async (random) => {
        const plan = await makePlan();
        const lock = sql`select from plans where id = ${plan} for update`;
        const sides = [...times(6, () => issue(plan)), () => deactivate(plan)];
        await collide(arena.db, lock, random, sides);
        return flaw(plan);
      };
      expect(await flawsOf(round)).toEqual([]);
      // Nor is it refused out of caution: an active plan without a rival gets its ticket.
      const calm = await makePlan();
      await issue(calm);
      expect(await ticketsOf(calm)).toBe(1);
    });
  });

  describe('C18: a code that is taken is drawn again', () => {
    /** Everybody draws the same code first. */
    const play = async (
      random: Parameters<Round>[0],
      issue: (newCode: () => string) => Promise<unknown>,
    ) => {
      const marks = await arena.db.one<{ n: number }>(sql`select count(*) as n from tickets`);
      const taken = newTicketCode();
      const sides = times(CROWD, () => {
        const codes = [taken, newTicketCode()];
        return issue(() => codes.shift() ?? newTicketCode());
      });
      await collide(arena.db, lockTable.tickets, random, sides);
      const { n } = await arena.db.one<{ n: number }>(sql`
        select count(distinct code) as n from tickets`);
      return n === marks.n + CROWD ? null : `${n - marks.n} of ${CROWD} issued`;
    };
    const body = () => ({ planId, validDays: 30, maxRedemptions: 1 });

    test('the naive version loses the tickets', async () => {
      const naive: Round = (random) =>
        play(random, (newCode) =>
          arena.db.execute(sql`
            insert into tickets (id, code, plan_id, issuer_id, valid_days)
            values (${uuidV7()}, ${newCode()}, ${planId}, ${arena.admin.adminId}, 30)`),
        );
      expect(await shareBroken(naive)).toBe(1);
    });

    test('everybody gets a ticket, each with its own code', async () => {
      const by = { ...HOST, adminId: arena.admin.adminId };
      const round: Round = (random) =>
        play(random, (newCode) => createTicketsService(arena.db, newCode).issue(by, body()));
      expect(await flawsOf(round)).toEqual([]);
    });
  });
});

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
