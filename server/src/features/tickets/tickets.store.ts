import type {
  LimitsOverride,
  Ticket,
  TicketCounts,
  TicketListQuery,
  TicketStatus,
} from '@meridian/contract/tickets';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext } from '../../audit/audit.store.ts';
import type { Db } from '../../db/database.ts';
import { escapeLike, sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import {
  idOf,
  isAfter,
  orderBy,
  orderByKeys,
  pageStart,
  readSortKeys,
  selectKeys,
  sortKeys,
  withCursors,
} from '../../db/page.ts';
import type { Keyed, Keyset, Page, PageRequest } from '../../db/page.ts';

export type TicketRow = Omit<Ticket, 'plan' | 'issuer'> & {
  issuerName: string | null;
  issuerHandle: string;
};

export type NewTicket = {
  id: string;
  code: string;
  planId: string;
  issuerId: string;
  validDays: number;
  maxRedemptions: number | null;
  redemptionDeadline: string | null;
  memo: string | null;
  limitsOverride: LimitsOverride | null;
};

/** Past its deadline a ticket is EXPIRED, whatever is stored. */
export const STATUS = sql`ticket_status(t.status, t.redemption_deadline)`;
const COLUMNS = sql`
  t.id, t.code, ${STATUS} as status,
  t.plan_id as "planId", a.display_name as "issuerName", a.username as "issuerHandle",
  t.valid_days as "validDays", t.max_redemptions as "maxRedemptions",
  t.redemption_count as "redemptionCount", t.issued_at as "issuedAt",
  t.redemption_deadline as "redemptionDeadline", t.updated_at as "updatedAt", t.memo,
  t.limits_override as "limitsOverride"`;
const STORED = sql`
  id, code, status, plan_id, issuer_id, valid_days, max_redemptions, redemption_count, issued_at,
  redemption_deadline, updated_at, memo, limits_override`;
/** A code is a bearer secret until it is used, so the audit log has its first group alone. */
const ISSUED = sql`jsonb_build_object(
  'code', left(code, 4) || '-****-****-****', 'planId', plan_id, 'validDays', valid_days,
  'maxRedemptions', max_redemptions, 'redemptionDeadline', redemption_deadline, 'memo', memo,
  'limitsOverride', limits_override)`;
export const ISSUER = sql`join admins a on a.id = t.issuer_id`;

export async function findTicket(db: Db, id: string): Promise<TicketRow | null> {
  return db.maybeOne<TicketRow>(sql`select ${COLUMNS} from tickets t ${ISSUER} where t.id = ${id}`);
}

export async function insertTicket(
  db: Db,
  ticket: NewTicket,
  audit: AuditContext,
): Promise<TicketRow | null> {
  const { limitsOverride } = ticket;
  return db.maybeOne<TicketRow>(sql`
    with changed as (
      insert into tickets (id, code, plan_id, issuer_id, valid_days, max_redemptions,
                           redemption_deadline, memo, limits_override)
      select ${ticket.id}::uuid, ${ticket.code}, ${ticket.planId}::uuid, ${ticket.issuerId}::uuid,
             ${ticket.validDays}::int, ${ticket.maxRedemptions}::int, new.deadline, ${ticket.memo},
             ${limitsOverride === null ? null : sql.json(limitsOverride)}::jsonb
      from (select ${ticket.redemptionDeadline}::timestamptz as deadline) new
      where new.deadline is null or new.deadline > now()
      returning ${STORED}, null::jsonb as was, ${ISSUED} as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed t ${ISSUER}`);
}

export async function revokeTicket(
  db: Db,
  id: string,
  audit: AuditContext,
): Promise<TicketRow | null> {
  return db.maybeOne<TicketRow>(sql`
    with changed as (
      update tickets set status = 'REVOKED', updated_at = now()
      where id = ${id} and ticket_status(status, redemption_deadline) = 'UNUSED'
        and redemption_count = 0
      returning ${STORED},
        -- By the condition above it can have been nothing else.
        jsonb_build_object('status', 'UNUSED') as was, jsonb_build_object('status', status) as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed t ${ISSUER}`);
}

export async function countRedemptionsLeft(db: Db, id: string): Promise<number | null | undefined> {
  const row = await db.maybeOne<{ n: number | null }>(sql`
    select max_redemptions - redemption_count as n from tickets where id = ${id}`);
  return row === null ? undefined : row.n;
}

type TicketListRequest = PageRequest & Pick<TicketListQuery, 'status' | 'search'>;

export const LATEST: Keyset = {
  keys: [
    { column: sql`t.issued_at`, type: 'time' },
    { column: sql`t.id`, type: 'id' },
  ],
  order: 'desc',
};

export type TicketBatch = { rows: TicketRow[]; last: readonly string[] | null };

export async function listBatch(
  db: Db,
  after: TicketBatch['last'],
  limit: number,
): Promise<TicketBatch> {
  const rows = await db.many<Keyed<TicketRow>>(sql`
    select ${COLUMNS}, ${sortKeys(LATEST)} as sort_keys
    from (select ${selectKeys(LATEST)} from tickets t
          where ${after === null ? sql`true` : isAfter(LATEST, after)}
          order by ${orderBy(LATEST)} limit ${sql.whole(limit)}) as page
    join tickets t on t.id = ${idOf(LATEST)} ${ISSUER}
    order by ${orderByKeys(LATEST)}`);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { rows, last: last === undefined ? null : readSortKeys(last.sort_keys, LATEST) };
}

/** One statement makes page, total and counts agree; a counter would have to know of every deadline. */
export async function listPage(
  db: Db,
  request: TicketListRequest,
): Promise<Page<TicketRow> & { counts: TicketCounts }> {
  const { status, search } = request;
  const matches = search ? await findMatches(db, search) : null;
  const listed = matches === null ? sql`tickets t` : sql`matches t`;
  const start = pageStart(LATEST, request);
  const found = await db.many<Keyed<TicketRow> & { counts: TicketCounts; id: string | null }>(sql`
    with ${matches === null ? sql.empty : sql`matches as materialized (${matches}),`}
    counts as materialized (
      select count(*) as "ALL", ${COUNTS} from (select ${STATUS} as status from ${listed}) as found),
    page as (
      select ${selectKeys(LATEST)} from ${listed}
      where ${isOfStatus(status)} and ${start.condition}
      order by ${orderBy(start.walked)} limit ${sql.whole(request.limit + 1)} offset ${start.skipped})
    select to_json(counts) as counts, ${COLUMNS}, ${sortKeys(LATEST)} as sort_keys
    from counts left join (page join tickets t on t.id = ${idOf(LATEST)} ${ISSUER}) on true
    order by ${orderByKeys(start.walked)}`);
  const [first] = found;
  if (first === undefined) throw new Error('Counts without a row');
  const { counts } = first;
  const rows = found.filter(({ id }) => id !== null);
  const total = counts[status ?? 'ALL'];
  return { total, counts, ...withCursors(rows, start, request.limit) };
}

const COUNTS = sql`
  count(*) filter (where status = 'UNUSED') as "UNUSED",
  count(*) filter (where status = 'ACTIVE') as "ACTIVE",
  count(*) filter (where status = 'EXPIRED') as "EXPIRED",
  count(*) filter (where status = 'REVOKED') as "REVOKED"`;

/** Each status has a text of its own, so that the planner sees it. */
const OF_STATUS: Record<TicketStatus, Sql> = {
  UNUSED: sql`${STATUS} = 'UNUSED'`,
  ACTIVE: sql`${STATUS} = 'ACTIVE'`,
  EXPIRED: sql`${STATUS} = 'EXPIRED'`,
  REVOKED: sql`${STATUS} = 'REVOKED'`,
};

export function isOfStatus(status: TicketStatus | undefined): Sql {
  return status === undefined ? sql`true` : OF_STATUS[status];
}

/** The index finds nothing by fewer than three letters or digits. */
const IS_INDEXED = /[\p{L}\p{N}]{3}/u;
const MATCHED = sql`t.id, t.issued_at, t.status, t.redemption_deadline`;

/** A name that matches is usually that of many tickets, so all are looked through, cheap tests first. */
export async function findMatches(db: Db, search: string): Promise<Sql> {
  const pattern = sql`(select lower(${`%${escapeLike(search)}%`}))`;
  const { plans, issuers } = await findNames(db, pattern);
  if (plans === NONE && issuers === NONE && IS_INDEXED.test(search)) {
    return sql`
      select ${MATCHED} from tickets t where lower(t.code) like ${pattern}
      union
      select ${MATCHED} from tickets t where lower(t.memo) like ${pattern}`;
  }
  return sql`
    select ${MATCHED} from tickets t
    where t.plan_id = any(${plans}::uuid[]) or t.issuer_id = any(${issuers}::uuid[])
      or lower(t.code) like ${pattern} or lower(t.memo) like ${pattern}`;
}

const NONE = '{}';

async function findNames(db: Db, pattern: Sql): Promise<{ plans: string; issuers: string }> {
  return db.one(sql`
    select array(
      select id from plans
      where lower(name) like ${pattern} or lower(display_name ->> 'en') like ${pattern})::text as plans,
    array(
      select id from admins
      where lower(username) like ${pattern} or lower(display_name) like ${pattern})::text as issuers`);
}
