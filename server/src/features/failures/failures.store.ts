import { CAUSES } from '@meridian/contract/causes';
import { FAILURES_MAX } from '@meridian/contract/failures';
import type { FailureGroup, FailureSample } from '@meridian/contract/failures';
import { totalOf } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { ERROR_TEXT, FAILED_AT } from '../posts/post-filter.ts';

/** On the time of the failure, half open. */
export type Period<Time = string> = { from: Time; to: Time };

const KNOWN = Object.keys(CAUSES);

/** The newest failures of a period, read by the index posts_failed_at. */
const failedWithin = ({ from, to }: Period<string | Sql>) => sql`
  select id, user_id, cause, error_msg, at_uri, ${FAILED_AT} as at from posts
  where status = 'FAILED' and ${FAILED_AT} >= ${from} and ${FAILED_AT} < ${to}
  order by ${FAILED_AT} desc limit ${sql.whole(FAILURES_MAX)}`;

/** A lookup for each failure: joined, all retries there ever were would be read. */
const IS_RETRIED = sql`(select true from posts r where r.retry_of = failed.id)`;

/**
 * A report is made from this and the passing of time, which counts by the minute: failures by number
 * and by the newest, and retries by the last entry of the audit log.
 */
export async function readVersion(db: Db): Promise<string> {
  const { version } = await db.one<{ version: string }>(sql`
    select concat_ws(' ', last_id, ${totalOf('posts', ['FAILED'])}, date_trunc('minute', now()),
      (select ${FAILED_AT} from posts where status = 'FAILED' order by ${FAILED_AT} desc limit 1)) as version
    from audit_head`);
  return version;
}

/** Whole milliseconds, as responses carry them: a link then names exactly this period. */
export async function readPeriod(db: Db, hours: number): Promise<Period> {
  return db.one<Period>(sql`
    select date_trunc('milliseconds', now()) as to,
      date_trunc('milliseconds', now()) - make_interval(hours => ${hours}) as from`);
}

export type GroupRow = Pick<
  FailureGroup,
  'cause' | 'error' | 'count' | 'retried' | 'people' | 'firstAt' | 'lastAt'
> & {
  /** Neither retried nor published. */
  open: number;
  /** Null: the whole group; else one part of its trend, from 1. */
  bar: number | null;
  samples: string[];
};

/**
 * For each group one row, and one for every part of the window in which it has failures. Twenty
 * texts without a known cause have groups of their own, the rest shares one. The order is total, so
 * that groups of the same size do not change places when a page reads them again.
 */
export async function groupFailures(db: Db, period: Period, bars: number): Promise<GroupRow[]> {
  return db.many<GroupRow>(sql`
    with failed as materialized (${failedWithin(period)}),
    told as materialized (
      select id, user_id, at, at_uri, case when cause = any(${KNOWN}) then cause end as cause,
        case when cause = any(${KNOWN}) then null else ${ERROR_TEXT} end as error,
        width_bucket(extract(epoch from at), extract(epoch from ${period.from}::timestamptz),
                     extract(epoch from ${period.to}::timestamptz), ${bars}::integer) as bar,
        ${IS_RETRIED} as is_retried
      from failed),
    texts as materialized (
      select error from told where error is not null group by error order by count(*) desc, error limit 20),
    grouped as (
      select told.*, case when error in (select error from texts) then error end as text from told)
    select cause, text as error, bar, count(*)::integer as count,
      count(is_retried)::integer as retried,
      (count(*) filter (where is_retried is null and at_uri is null))::integer as open,
      count(distinct user_id)::integer as people, min(at) as "firstAt", max(at) as "lastAt",
      (array_agg(id order by at desc, id))[1:3] as samples
    from grouped group by grouping sets ((cause, text), (cause, text, bar))
    order by cause collate "C", text collate "C"`);
}

export async function listSamples(db: Db, ids: readonly string[]): Promise<FailureSample[]> {
  return db.many<FailureSample>(sql`
    select p.id, u.handle, left(p.content, 200) as content, p.languages,
      coalesce(p.executed_at, p.updated_at) as "failedAt"
    from posts p join users u on u.id = p.user_id where p.id = any(${ids}::uuid[])`);
}

/** Counts by cause; null for failures without one of the catalogue. */
export const countedByCause = (period: Period<Sql>) => sql`
  select case when cause = any(${KNOWN}) then cause end as cause, count(*) as count
  from (${failedWithin(period)}) as failed group by 1`;
