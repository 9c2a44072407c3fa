import { ticketRevoke } from '@meridian/contract/tickets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../../server/src/audit/audit.store.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import type { Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { insertUser } from '../../server/test/fixtures.ts';
import { insertTicket, planBody, redeemById } from '../../server/test/plan-fixtures.ts';
import type { TicketFixture } from '../../server/test/plan-fixtures.ts';
import { CROWD, PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide, overtake, times } from './collide.ts';

describe(`a ticket redeemed by several at once, ${PLAYED}`, () => {
  let arena: Arena;
  let planId: string;
  let users: string[];
  beforeAll(async () => {
    arena = await startArena();
    planId = (await arena.api.context.plans.create(HOST, planBody())).id;
    users = await Promise.all(Array.from({ length: CROWD }, () => insertUser(arena.db)));
    // Without constraints, as a version that trusts the program alone.
    await arena.db.execute(sql`create table naive_tickets (like tickets including defaults)`);
    await arena.db.execute(
      sql`create table naive_assignments (like plan_assignments including defaults)`,
    );
    await arena.db.execute(sql`create table naive_revocations (ticket_id uuid)`);
  });
  afterAll(() => arena.api.close());

  const ticket = (fields: TicketFixture = {}) =>
    insertTicket(arena.db, planId, arena.admin.adminId, fields);
  const redeem = (id: string, user: string) => redeemById(arena.db, id, user);
  const revoke = (id: string) =>
    arena.api.call(ticketRevoke, { token: arena.token, params: { id } });
  const lockTicket = (id: string) => sql`select from tickets where id = ${id} for update`;

  /** Counter, number of assignments and status, as one line. */
  const stored = async (id: string): Promise<string> => {
    const row = await arena.db.one<{ line: string }>(sql`
      select concat_ws(' ', status, redemption_count,
        (select count(*) from plan_assignments where ticket_id = t.id)) as line
      from tickets t where id = ${id}`);
    return row.line;
  };

  const naiveTicket = async (fields: TicketFixture = {}) => {
    const id = await ticket(fields);
    await arena.db.execute(sql`insert into naive_tickets select * from tickets where id = ${id}`);
    return id;
  };
  const lockNaive = (id: string) => sql`select from naive_tickets where id = ${id} for update`;
  const naiveStored = async (id: string): Promise<string> => {
    const row = await arena.db.one<{ line: string }>(sql`
      select concat_ws(' ', status, redemption_count,
        (select count(*) from naive_assignments where ticket_id = t.id)) as line
      from naive_tickets t where id = ${id}`);
    return row.line;
  };
  /** Looks, decides in the program, and writes what it decided. */
  const naiveRedeem = (id: string, user: string) =>
    arena.db.transaction(async (tx) => {
      const seen = await readNaive(tx, id);
      const isOver = seen.max_redemptions !== null && seen.redemption_count >= seen.max_redemptions;
      if (seen.status === 'REVOKED' || isOver || seen.is_late) return;
      const again = await tx.maybeOne(sql`
        select from naive_assignments where ticket_id = ${id} and user_id = ${user}`);
      if (again !== null) return;
      await tx.execute(sql`
        update naive_tickets set status = 'ACTIVE', redemption_count = ${seen.redemption_count + 1}
        where id = ${id}`);
      await tx.execute(sql`
        insert into naive_assignments (id, user_id, plan_id, ticket_id, created_at)
        values (${uuidV7()}, ${user}, ${planId}, ${id}, clock_timestamp())`);
    });
  const naiveRevoke = (id: string) =>
    arena.db.transaction(async (tx) => {
      const seen = await readNaive(tx, id);
      if (seen.status !== 'UNUSED') return;
      await tx.execute(sql`update naive_tickets set status = 'REVOKED' where id = ${id}`);
      await tx.execute(sql`insert into naive_revocations values (${id})`);
    });

  describe.each([
    { max: 1, used: 0 },
    { max: 2, used: 0 },
    { max: 10, used: 0 },
    { max: 10_000, used: 9_999 },
  ])('C1: $max redemptions, $used of them made', ({ max, used }) => {
    const fields = {
      max_redemptions: max,
      redemption_count: used,
      status: used > 0 ? 'ACTIVE' : 'UNUSED',
    } as const;
    const right = `ACTIVE ${max} ${max - used}`;
    const flaw = (line: string) => (line === right ? null : `${line} instead of ${right}`);

    test('the naive version redeems too often', async () => {
      const naive: Round = async (random) => {
        const id = await naiveTicket(fields);
        const sides = users.map((user) => () => naiveRedeem(id, user));
        await collide(arena.db, lockNaive(id), random, sides);
        return flaw(await naiveStored(id));
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('are made exactly so often, and counted', async () => {
      const round: Round = async (random) => {
        const id = await ticket(fields);
        const sides = users.map((user) => () => redeem(id, user));
        await collide(arena.db, lockTicket(id), random, sides);
        return flaw(await stored(id));
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });

  describe('C2: never both revoked and redeemed, and never neither', () => {
    // What the other side was told counts, not only what is left of it.
    const flaw = (line: string) => (/^(REVOKED 0 0 1|ACTIVE 1 1 0)$/.test(line) ? null : line);

    test('the naive version does both', async () => {
      const naive: Round = async (random) => {
        const id = await naiveTicket();
        const sides = [() => naiveRevoke(id), () => naiveRedeem(id, users[0] ?? '')];
        await collide(arena.db, lockNaive(id), random, sides);
        const { n } = await arena.db.one<{ n: number }>(sql`
          select count(*) as n from naive_revocations where ticket_id = ${id}`);
        return flaw(`${await naiveStored(id)} ${n}`);
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('one of them wins', async () => {
      const ends = new Set<string>();
      const round: Round = async (random) => {
        const id = await ticket();
        const sides = [() => revoke(id), () => redeem(id, users[0] ?? '')];
        await collide(arena.db, lockTicket(id), random, sides);
        const { n } = await arena.db.one<{ n: number }>(sql`
          select count(*) as n from audit_log where action = 'ticketRevoke' and entity_id = ${id}`);
        const line = `${await stored(id)} ${n}`;
        ends.add(line);
        return flaw(line);
      };
      expect(await flawsOf(round)).toEqual([]);
      // Either may be first, and was.
      expect(ends.size).toBe(2);
    });
  });

  describe('C3: one user redeems a ticket once', () => {
    const fields = { max_redemptions: 50 };
    const flaw = (line: string) => (line === 'ACTIVE 1 1' ? null : line);

    test('the naive version grants it again and again', async () => {
      const naive: Round = async (random) => {
        const id = await naiveTicket(fields);
        const sides = times(20, () => naiveRedeem(id, users[0] ?? ''));
        await collide(arena.db, lockNaive(id), random, sides);
        return flaw(await naiveStored(id));
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('twenty at once of one user: one', async () => {
      const round: Round = async (random) => {
        const id = await ticket(fields);
        const sides = times(20, () => redeem(id, users[0] ?? ''));
        await collide(arena.db, lockTicket(id), random, sides);
        return flaw(await stored(id));
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });

  describe('C4: not after the deadline, by the clock of the database at that moment', () => {
    const fields = { redemption_deadline: '2099-01-01T00:00:00.000Z' };

    test('the naive version judges by when it began', async () => {
      const naive: Round = async () => {
        const id = await naiveTicket(fields);
        await overtake(
          arena.db,
          lockNaive(id),
          () => naiveRedeem(id, users[0] ?? ''),
          (holder) =>
            holder.execute(sql`
              update naive_tickets set redemption_deadline = clock_timestamp() where id = ${id}`),
        );
        const { late } = await arena.db.one<{ late: number }>(sql`
          select count(*) as late from naive_assignments a join naive_tickets t on t.id = ticket_id
          where t.id = ${id} and a.created_at > t.redemption_deadline`);
        return late === 0 ? null : 'redeemed late';
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('who waited past it is too late', async () => {
      const round: Round = async () => {
        const id = await ticket(fields);
        await overtake(
          arena.db,
          lockTicket(id),
          () => redeem(id, users[0] ?? ''),
          (holder) =>
            holder.execute(sql`
              update tickets set redemption_deadline = clock_timestamp() where id = ${id}`),
        );
        const line = await stored(id);
        return line === 'UNUSED 0 0' ? null : line;
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });
});

type Seen = {
  status: string;
  max_redemptions: number | null;
  redemption_count: number;
  is_late: boolean;
};

async function readNaive(tx: Db, id: string): Promise<Seen> {
  return tx.one<Seen>(sql`
    select status, max_redemptions, redemption_count,
           coalesce(redemption_deadline <= now(), false) as is_late
    from naive_tickets where id = ${id}`);
}
