import type { AnswerOf } from '@meridian/contract/endpoint';
import { PAGE_SIZE_DEFAULT } from '@meridian/contract/fields';
import type { ListedTicket, ticketList, TicketListQuery } from '@meridian/contract/tickets';
import type { Database, Db } from '../../db/database.ts';
import type { ListSink } from '../../http/list-stream.ts';
import { createSnapshotStream } from '../../http/snapshot-stream.ts';
import { summarizePlans } from '../plans/plans.store.ts';
import type { PlanSummary } from '../plans/plans.store.ts';
import { ticketOf } from './ticket-of.ts';
import { listBatch, listPage } from './tickets-list.store.ts';
import type { TicketRow } from './tickets.store.ts';

/** Some 400 kB of JSON: serialized between two other requests without being felt. */
const BATCH = 500;
/** One at a time; the next wait longer than a client may stall the first. */
const FULL_LISTINGS = { atOnce: 1, queue: 4, waitMs: 7_000 };

export type TicketsPage = Required<AnswerOf<typeof ticketList>>;

export function createTicketLists(db: Database, fullListings = FULL_LISTINGS) {
  const writeFromSnapshot = createSnapshotStream(db, fullListings);

  return {
    async page(query: TicketListQuery): Promise<TicketsPage> {
      const { limit = PAGE_SIZE_DEFAULT, offset = 0, search = '', status, cursor } = query;
      const request = { limit, offset, search, status, cursor };
      const { rows, ...page } = await listPage(db, request);
      return { tickets: await plansFrom(db)(rows), ...page };
    },

    /** All tickets, newest first, when they fit into one batch; null when there are more. */
    async few(): Promise<ListedTicket[] | null> {
      const { rows, last } = await listBatch(db, null, BATCH);
      return last === null ? plansFrom(db)(rows) : null;
    },

    /** All tickets, newest first. */
    writeAll: (sink: ListSink<ListedTicket>): Promise<void> =>
      writeFromSnapshot(sink, writeBatches),
  };
}

async function writeBatches(tx: Db, push: ListSink<ListedTicket>['push']): Promise<void> {
  const withPlans = plansFrom(tx);
  let after: readonly string[] | null = null;
  do {
    const batch: Awaited<ReturnType<typeof listBatch>> = await listBatch(tx, after, BATCH);
    await push(await withPlans(batch.rows));
    after = batch.last;
  } while (after !== null);
}

/** Tickets share few plans: each is read once, and never goes away. */
function plansFrom(db: Db) {
  const plans = new Map<string, PlanSummary>();
  return async (rows: readonly TicketRow[]): Promise<ListedTicket[]> => {
    const ids = new Set(rows.map(({ planId }) => planId));
    const missing = [...ids].filter((id) => !plans.has(id));
    if (missing.length > 0) {
      for (const plan of await summarizePlans(db, missing)) plans.set(plan.id, plan);
    }
    return rows.map((row) => ticketOf(row, plans.get(row.planId)));
  };
}
