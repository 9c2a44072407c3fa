import { once } from 'node:events';
import { authMe } from '@meridian/contract/auth';
import { ticketIssue, ticketList, ticketRevoke } from '@meridian/contract/tickets';
import type { ListedTicket } from '@meridian/contract/tickets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { SignedIn, TestApp } from '../../../test/app.ts';
import { insertManyTickets } from '../../../test/many-tickets.ts';
import { planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import type { ListSink } from '../../http/stream.ts';
import { createTicketLists } from './tickets.service.ts';
import type { TicketsService } from './tickets.service.ts';

const ONE_AND_TWO = { atOnce: 1, queue: 2 };
/** Several batches, the last of them not full. */
const COUNT = 1_700;

describe.each(EITHER)('all tickets on %s', (engine) => {
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
