import type { TicketCounts, TicketStatus } from '@meridian/contract/tickets';
import type { CountedPage } from '../../counts/counted-page.ts';
import type { Place, RowKey } from '../../counts/page-start.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { findMatches } from './ticket-search.store.ts';
import { COLUMNS, ISSUER, STATUS } from './tickets.store.ts';
import type { TicketRow } from './tickets.store.ts';

export type TicketPage = {
  status: TicketStatus | undefined;
  /** Empty: no search. */
  search: string;
  limit: number;
  place: Place;
};
export type TicketsPage = CountedPage<TicketRow> & { counts: TicketCounts };

type Keyed = TicketRow & { key: string };

/** One batch of all tickets, newest first. Without a cursor the first batch. */
export async function listBatch(
  db: Db,
  after: RowKey | null,
  limit: number,
): Promise<{ rows: TicketRow[]; last: RowKey | null }> {
  const rows = await db.many<Keyed>(sql`
    select ${COLUMNS}, t.issued_at::text as key from tickets t ${ISSUER}
    where ${isAfter(after)} order by t.issued_at desc, t.id desc limit ${sql.whole(limit)}`);
  return { rows, last: lastOf(rows, limit) };
}

/**
 * A page, its total and the counts in one statement, so that they agree. Rows that are passed over
 * are read from an index alone; only those of the page are fetched whole. Counting takes about
 * 0.25 ms for a thousand tickets: a counter per status would have to know of every deadline too.
 */
export async function listPage(db: Db, page: TicketPage): Promise<TicketsPage> {
  const { status, search, limit, place } = page;
  const matches = search === '' ? null : await findMatches(db, search);
  const offset = place.after === null ? place.offset : 0;
  const found = await db.many<Keyed & { counts: TicketCounts; id: string | null }>(sql`
    with ${matches === null ? sql.empty : sql`matches as materialized (${matches}),`}
    counts as materialized (
      select count(*) as "ALL", ${COUNTS}
      from (select ${STATUS} as status from ${listed(matches)} t) as found),
    page as (
      select t.id as page_id, t.issued_at as page_key from ${listed(matches)} t
      where ${isOfStatus(status)} and ${isAfter(place.after)}
      order by t.issued_at desc, t.id desc limit ${sql.whole(limit)} offset ${offset})
    select to_json(counts) as counts, ${COLUMNS}, page_key::text as key
    from counts left join (page join tickets t on t.id = page_id ${ISSUER}) on true
    order by page_key desc, page_id desc`);
  const [first] = found;
  if (first === undefined) throw new Error('Counts without a row');
  const rows = found.filter(({ id }) => id !== null);
  const { counts } = first;
  return { rows, counts, total: counts[status ?? 'ALL'], last: lastOf(rows, limit) };
}

function listed(matches: Sql | null): Sql {
  return matches === null ? sql`tickets` : sql`matches`;
}

const COUNTS = sql`
  count(*) filter (where status = 'UNUSED') as "UNUSED",
  count(*) filter (where status = 'ACTIVE') as "ACTIVE",
  count(*) filter (where status = 'EXPIRED') as "EXPIRED",
  count(*) filter (where status = 'REVOKED') as "REVOKED"`;

/** A text for each status: the planner sees what is asked for, and prepares each once. */
const OF_STATUS: Record<TicketStatus, Sql> = {
  UNUSED: sql`${STATUS} = 'UNUSED'`,
  ACTIVE: sql`${STATUS} = 'ACTIVE'`,
  EXPIRED: sql`${STATUS} = 'EXPIRED'`,
  REVOKED: sql`${STATUS} = 'REVOKED'`,
};

function isOfStatus(status: TicketStatus | undefined): Sql {
  return status === undefined ? sql`true` : OF_STATUS[status];
}

function isAfter(after: RowKey | null): Sql {
  return after === null
    ? sql`true`
    : sql`(t.issued_at, t.id) < (${after.value}::timestamptz, ${after.id}::uuid)`;
}

function lastOf(rows: readonly Keyed[], limit: number): RowKey | null {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last === undefined ? null : { value: last.key, id: last.id };
}
