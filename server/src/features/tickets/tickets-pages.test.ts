import { ticketList } from '@meridian/contract/tickets';
import type { TicketStatus } from '@meridian/contract/tickets';
import type { Plan } from '@meridian/contract/plans';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertManyTickets } from '../../../test/many-tickets.ts';
import { insertTicket, planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';

const COUNT = 130;

describe.each(EITHER)('pages of tickets on %s', (engine) => {
  const test = setUpApp(engine);
  let admin: SignedIn;
  let plan: Plan;

  beforeAll(async () => {
    admin = await test.signIn('grace');
    await test.db.execute(sql`
      update admins set display_name = 'Grace Hopper' where id = ${admin.adminId}`);
    plan = await test.context.plans.create(
      HOST,
      planBody({ tier: 'PREMIUM', name: 'internal-name', displayName: { en: 'Studio' } }),
    );
    const tickets = { planId: plan.id, issuerId: admin.adminId, count: COUNT };
    await insertManyTickets(test.db, tickets);
  });

  const ask = (query: Record<string, string>) =>
    test.call(ticketList, { token: admin.token, query });
  const page = async (query: Record<string, string>) => (await ask(query)).answer;
  const all = async () => (await page({})).tickets;
  const found = async (search: string) => (await page({ search, limit: '100' })).tickets;
  const refusal = async (query: Record<string, string>) => {
    const { status, error } = await ask(query);
    return [status, error.message];
  };

  it('answers all of them, and nothing else, when no parameter is given', async () => {
    const { tickets, total, counts } = await page({});
    expect([tickets.length, total, counts]).toEqual([COUNT, undefined, undefined]);
  });

  it.each([{ limit: '20' }, { offset: '0' }, { search: ' ' }])(
    'answers a page of 20 as soon as there is one: %o',
    async (query) => {
      const { tickets, total } = await page(query);
      expect(tickets).toEqual((await all()).slice(0, 20));
      expect(total).toBe(COUNT);
    },
  );

  it('cuts the list into pages without gap or repetition, ties by id', async () => {
    const whole = await all();
    for (const start of [0, 40, 80, 120, 160]) {
      const { token } = await test.signIn();
      const query = { limit: '40', offset: String(start) };
      const { answer } = await test.call(ticketList, { token, query });
      expect(answer.tickets).toEqual(whole.slice(start, start + 40));
      expect(answer.total).toBe(COUNT);
    }
    const pages = [];
    for (let start = 0; start < COUNT; start += 7) {
      pages.push(...(await page({ limit: '7', offset: String(start) })).tickets);
    }
    expect(pages).toEqual(whole);
    const times = whole.map(({ issuedAt }) => issuedAt);
    expect(new Set(times).size).toBeLessThan(COUNT);
  });

  it.each(['UNUSED', 'ACTIVE', 'EXPIRED', 'REVOKED'] as const)(
    'lists what counts as %s by now, and counts every status beside it',
    async (status) => {
      const whole = await all();
      const those = whole.filter((ticket) => ticket.status === status);
      expect(those.length).toBeGreaterThan(15);
      const { tickets, total, counts } = await page({ status, limit: '100' });
      expect(tickets).toEqual(those);
      expect(total).toBe(those.length);
      const of = (one: TicketStatus) => whole.filter((ticket) => ticket.status === one).length;
      expect(counts).toEqual({
        ALL: COUNT,
        UNUSED: of('UNUSED'),
        ACTIVE: of('ACTIVE'),
        EXPIRED: of('EXPIRED'),
        REVOKED: of('REVOKED'),
      });
    },
  );

  it('counts past the last page too', async () => {
    const { tickets, total, counts } = await page({ offset: '1000', status: 'REVOKED' });
    expect(tickets).toEqual([]);
    expect([total, counts?.ALL]).toEqual([counts?.REVOKED, COUNT]);
  });

  it('neither repeats nor skips a ticket when others are issued between two pages', async () => {
    const whole = await all();
    const first = await page({ limit: '10' });
    const issued_at = '2026-05-01T00:00:00.000Z';
    const id = await insertTicket(test.db, plan.id, admin.adminId, { issued_at });
    const second = await page({ limit: '10', cursor: first.cursors?.next ?? '' });
    expect([...first.tickets, ...second.tickets]).toEqual(whole.slice(0, 20));
    await test.db.execute(sql`delete from tickets where id = ${id}`);
  });

  describe('search', () => {
    it.each([
      ['a code', 'TEST-222C-AAAA-BBBB', 1],
      ['a part of a code, in small letters', '222c-aa', 1],
      ['a memo', 'memo 50 for', 1],
      ['a part of many memos', 'SPRING campaign', 13],
      ["a plan's internal name", 'nternal-nam', COUNT],
      ["a plan's English name", 'studio', COUNT],
      ["an issuer's handle", 'grac', COUNT],
      ["an issuer's name", 'hopper', COUNT],
      ['nothing of the kind', 'no such thing', 0],
      ['what only another column has', 'REVOKED', 0],
    ])('finds by %s', async (_, search, many) => {
      const { total, tickets, counts } = await page({ search, limit: '100' });
      expect(total).toBe(many);
      expect(counts?.ALL).toBe(many);
      expect(tickets).toHaveLength(Math.min(many, 100));
    });

    it('narrows the counts, and goes together with a status', async () => {
      const matching = (await all()).filter(({ memo }) => memo?.includes('campaign'));
      const revoked = matching.filter(({ status }) => status === 'REVOKED');
      const { tickets, total, counts } = await page({ search: 'campaign', status: 'REVOKED' });
      expect(tickets).toEqual(revoked);
      expect([total, counts?.REVOKED, counts?.ALL]).toEqual([revoked.length, revoked.length, 13]);
    });

    it('takes %, _ and \\ for themselves', async () => {
      const odd = await insertTicket(test.db, plan.id, admin.adminId);
      await test.db.execute(sql`
        update tickets set memo = ${String.raw`50%_off \ today`} where id = ${odd}`);
      for (const search of ['%', '_', '\\', '0%_o', String.raw`f \ t`]) {
        expect([search, (await found(search)).map(({ id }) => id)]).toEqual([search, [odd]]);
      }
      await test.db.execute(sql`delete from tickets where id = ${odd}`);
    });

    it.each(["' or 1=1 --", '"', '$1', '"; drop table tickets', '‮', '🎟️'.repeat(60)])(
      'finds nothing by %j, and does no harm',
      async (search) => {
        expect(await found(search)).toEqual([]);
        expect((await page({ limit: '1' })).total).toBe(COUNT);
      },
    );

    it('has an end', async () => {
      expect((await ask({ search: 'x'.repeat(256) })).status).toBe(200);
      expect(await refusal({ search: 'x'.repeat(257) })).toEqual([
        400,
        'search must be at most 256 characters',
      ]);
    });
  });

  it.each([
    [{ status: 'GONE' }, 'status must be one of UNUSED, ACTIVE, EXPIRED, REVOKED'],
    [{ limit: '0' }, 'limit must be a whole number from 1 to 100'],
    [{ limit: '101' }, 'limit must be a whole number from 1 to 100'],
    [{ offset: '-1' }, 'offset must be a whole number from 0 to 1000000000'],
  ])('refuses %o', async (query, message) => {
    expect(await refusal(query)).toEqual([400, message]);
  });

  it('refuses a parameter that it does not know', async () => {
    expect((await ask({ sort: 'code' })).status).toBe(400);
  });
});
