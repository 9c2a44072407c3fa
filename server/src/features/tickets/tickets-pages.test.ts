import { authMe } from '@meridian/contract/auth';
import type { Plan } from '@meridian/contract/plans';
import { ticketIssue, ticketList, ticketRevoke } from '@meridian/contract/tickets';
import type { ListedTicket, TicketStatus } from '@meridian/contract/tickets';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import type { SignedIn, TestApp } from '../../../test/app.ts';
import { insertManyTickets } from '../../../test/many-tickets.ts';
import { insertTicket, planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import type { ListSink } from '../../http/stream.ts';
import { createTicketLists } from './tickets.service.ts';
import type { TicketsService } from './tickets.service.ts';

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

describe.each(EITHER)('all tickets on %s', (engine) => {
  const ONE_AND_TWO = { atOnce: 1, queue: 2 };
  /** Several batches, the last of them not full. */
  const COUNT = 1_700;
  let test: TestApp;
  let admin: SignedIn;
  let planId: string;
  let url: string;

  beforeAll(async () => {
    test = await startTestApp(engine);
    admin = await test.signIn('grace');
    const plan = await test.context.plans.create(HOST, planBody({ tier: 'PREMIUM' }));
    planId = plan.id;
    await insertManyTickets(test.db, { planId, issuerId: admin.adminId, count: COUNT });
    url = await test.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    test.app.server.closeAllConnections();
    await test.close();
  });

  const headers = () => ({ authorization: `Bearer ${admin.token}` });
  const ask = (signal?: AbortSignal) =>
    fetch(`${url}${ticketList.path}`, { headers: headers(), ...(signal && { signal }) });
  const inPages = async () => {
    const pages: ListedTicket[] = [];
    for (let offset = 0; offset < COUNT; offset += 100) {
      const query = { limit: '100', offset: String(offset) };
      pages.push(...(await test.call(ticketList, { token: admin.token, query })).answer.tickets);
    }
    return pages;
  };

  /** A listing that stands still after its first batch until it is told to go on. */
  function heldListing(
    onFirst: () => Promise<void> = async () => {},
    lists: Pick<TicketsService, 'writeAll'> = test.context.tickets,
  ) {
    const isHeld = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const gone = new AbortController();
    const tickets: ListedTicket[] = [];
    const sizes: number[] = [];
    const sink: ListSink<ListedTicket> = {
      signal: gone.signal,
      async push(batch) {
        tickets.push(...batch);
        sizes.push(batch.length);
        if (sizes.length > 1) return;
        await onFirst();
        isHeld.resolve();
        await mayGoOn.promise;
      },
    };
    const ended = lists.writeAll(sink);
    return {
      tickets,
      sizes,
      ended,
      isHeld: isHeld.promise,
      goOn: () => mayGoOn.resolve(),
      cut: () => mayGoOn.reject(new Error('The client is gone')),
    };
  }

  it('comes whole, in order, and with the same content as its pages', async () => {
    const { tickets } = await test.context.db.one<{ tickets: number }>(
      sql`select count(*) as tickets from tickets`,
    );
    expect(tickets).toBe(COUNT);
    const response = await ask();
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ tickets: await inPages() });
  });

  it('reads a few hundred at a time, and never serializes all at once', async () => {
    const listing = heldListing();
    listing.goOn();
    await listing.ended;
    expect(listing.sizes).toEqual([500, 500, 500, 200]);
  });

  it('shows one moment, whatever changes while it is written', async () => {
    const before = await inPages();
    const { token } = admin;
    const oldest = before.findLast(({ status }) => status === 'UNUSED');
    if (oldest === undefined) throw new Error('No unused ticket');
    const listing = heldListing(async () => {
      await test.call(ticketRevoke, { token, params: { id: oldest.id } });
      await test.call(ticketIssue, { token, body: { planId, validDays: 30 } });
    });
    await listing.isHeld;
    listing.goOn();
    await listing.ended;
    expect(listing.tickets.map(({ id, status }) => [id, status])).toEqual(
      before.map(({ id, status }) => [id, status]),
    );
    await test.db.execute(sql`delete from tickets where issued_at > '2026-06-01Z'`);
  });

  it('is written once at a time: a few requests wait, others are told to come back', async () => {
    const lists = createTicketLists(test.db, { ...ONE_AND_TWO, waitMs: 60_000 });
    const first = heldListing(undefined, lists);
    await first.isHeld;
    const waiting = [heldListing(undefined, lists), heldListing(undefined, lists)];
    await expect(heldListing(undefined, lists).ended).rejects.toMatchObject({
      status: 503,
      retryAfterSeconds: 5,
    });
    expect(waiting.map(({ tickets }) => tickets)).toEqual([[], []]);
    // Everything else goes on as usual, pages of tickets included.
    expect((await test.call(authMe, { token: admin.token })).status).toBe(200);
    const page = await test.call(ticketList, { token: admin.token, query: { limit: '1' } });
    expect(page.answer.total).toBe(COUNT);
    for (const listing of [first, ...waiting]) {
      listing.goOn();
      await listing.ended;
      expect(listing.tickets).toHaveLength(COUNT);
    }
  });

  it('is refused when its turn does not come in time', async () => {
    const lists = createTicketLists(test.db, { ...ONE_AND_TWO, waitMs: 10 });
    const first = heldListing(undefined, lists);
    await first.isHeld;
    await expect(heldListing(undefined, lists).ended).rejects.toMatchObject({ status: 503 });
    first.goOn();
    await first.ended;
  });

  it('gives its connection and its turn back as soon as the client is gone', async () => {
    const listing = heldListing();
    await listing.isHeld;
    listing.cut();
    await expect(listing.ended).rejects.toThrow('The client is gone');
    const { open, idle } = test.db.poolLoad();
    expect(open - idle).toBe(0);
    const next = await ask();
    expect(((await next.json()) as { tickets: unknown[] }).tickets).toHaveLength(COUNT);
  });

  it('leaves the queue when the client goes away in it', async () => {
    const listing = heldListing();
    await listing.isHeld;
    const leaving = new AbortController();
    const waiting = ask(leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toThrow('aborted');
    listing.goOn();
    await listing.ended;
    expect((await ask()).status).toBe(200);
  });

  it('leaves a request log line when the client aborts it', async () => {
    const listing = heldListing();
    await listing.isHeld;
    const arrived = once(test.app.server, 'request');
    const leaving = new AbortController();
    const waiting = ask(leaving.signal);
    const [, response] = await arrived;
    const closed = once(response, 'close');
    leaving.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await closed;
    listing.goOn();
    await listing.ended;
    expect(test.logged.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ route: '/api/admin/tickets', aborted: true }),
    );
  });

  it('is cut off when the database fails in the middle', async () => {
    const failed = heldListing(async () => {
      await test.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'meridian' and datname = current_database()
          and state = 'idle in transaction'`);
    });
    await failed.isHeld;
    failed.goOn();
    await expect(failed.ended).rejects.toThrow(/database is unavailable|terminating connection/);
    expect(failed.sizes).toEqual([500]);
  });
});
