import { CAUSES, isCause, isRetryable, operatorSentence } from '@meridian/contract/causes';
import { FAILURES_MAX, FAILURE_MESSAGES, failureList } from '@meridian/contract/failures';
import type {
  FailureGroup,
  FailureReport,
  FailureSample,
  FailureWindow,
} from '@meridian/contract/failures';
import type { FastifyInstance } from 'fastify';
import { totalOf } from '../../counters/counters.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { register } from '../../http/register.ts';
import { ERROR_TEXT, FAILED_AT } from '../posts/posts-filtered.store.ts';

export function failuresRoutes(
  app: FastifyInstance,
  { failures }: { failures: ReturnType<typeof createFailuresService> },
): void {
  register(app, failureList, ({ query }) => failures.report(query.window));
}

type Span = { hours: number; bars: number };
const SPANS: Record<FailureWindow, Span> = {
  '24h': { hours: 24, bars: 24 },
  '7d': { hours: 7 * 24, bars: 28 },
  '30d': { hours: 30 * 24, bars: 30 },
};

/** Every open page of failures asks again with each change of any post; few of those are failures. */
export function createFailuresService(db: Database) {
  const kept = (window: FailureWindow) =>
    keptWhile(
      () => readVersion(db),
      () => makeReport(db, SPANS[window]),
    );
  const reports = { '24h': kept('24h'), '7d': kept('7d'), '30d': kept('30d') };
  return { report: (window: FailureWindow): Promise<FailureReport> => reports[window]() };
}

async function makeReport(db: Database, { hours, bars }: Span): Promise<FailureReport> {
  const period = await readPeriod(db, hours);
  const rows = await groupFailures(db.byIndex, period, bars);
  const whole = rows.filter(({ bar }) => bar === null);
  const sampleIds = whole.flatMap(({ samples }) => samples);
  const samples = await listSamples(db, sampleIds);
  const total = whole.reduce((sum, { count }) => sum + count, 0);
  const isCapped = total >= FAILURES_MAX;
  const groups = whole.map((row): FailureGroup => {
    const { bar: _, open, samples: ids, ...group } = row;
    const parts = rows.filter(({ cause, error }) => cause === row.cause && error === row.error);
    const countOf = (bar: number) => parts.find((part) => part.bar === bar)?.count ?? 0;
    return {
      ...group,
      ...wordsOf(row),
      retryable: isRetryable(row.cause) ? open : 0,
      share: row.count / total,
      trend: Array.from({ length: bars }, (_unused, index) => countOf(index + 1)),
      samples: ids.flatMap((id) => samples.filter((sample) => sample.id === id)),
    };
  });
  return {
    ...period,
    ...(isCapped && { from: whole.map(({ firstAt }) => firstAt).toSorted()[0] ?? period.from }),
    isCapped,
    total,
    groups: groups.toSorted((a, b) => rankOf(a) - rankOf(b) || b.count - a.count),
  };
}

function rankOf({ cause, error }: FailureGroup): number {
  if (cause !== null) return 2;
  return error === null ? 1 : 0;
}

function wordsOf({ cause, error }: GroupRow): Pick<FailureGroup, 'owner' | 'sentence' | 'advice'> {
  if (cause !== null && isCause(cause)) {
    const { owner, advice } = CAUSES[cause];
    return { owner, sentence: operatorSentence(cause), advice };
  }
  const sentence = error ?? FAILURE_MESSAGES.otherTexts;
  return { owner: 'us', sentence, advice: FAILURE_MESSAGES.unknownAdvice };
}

/** The version is asked for first: something made from newer data is made once more, never kept too long. */
export function keptWhile<T>(versionOf: () => Promise<string>, make: () => Promise<T>) {
  let kept: { version: string; made: Promise<T> } | null = null;
  return async (): Promise<T> => {
    const version = await versionOf();
    if (kept?.version === version) return kept.made;
    const next = { version, made: make() };
    kept = next;
    // A failure is told to those who wait for it, and is not kept.
    next.made.catch(() => {
      if (kept === next) kept = null;
    });
    return next.made;
  };
}

export type Period<Time = string> = { from: Time; to: Time };

const KNOWN = Object.keys(CAUSES);

const failedWithin = ({ from, to }: Period<string | Sql>) => sql`
  select id, user_id, cause, error_msg, at_uri, ${FAILED_AT} as at from posts
  where status = 'FAILED' and ${FAILED_AT} >= ${from} and ${FAILED_AT} < ${to}
  order by ${FAILED_AT} desc limit ${sql.whole(FAILURES_MAX)}`;

/** Each failure is a lookup: joined, all retries there ever were would be read. */
const IS_RETRIED = sql`(select true from posts r where r.retry_of = failed.id)`;

/** A failure changes their number or the newest, a retry the audit log, and time counts by the minute. */
async function readVersion(db: Db): Promise<string> {
  const { version } = await db.one<{ version: string }>(sql`
    select concat_ws(' ', last_id, ${totalOf('posts', ['FAILED'])}, date_trunc('minute', now()),
      (select ${FAILED_AT} from posts where status = 'FAILED' order by ${FAILED_AT} desc limit 1)) as version
    from audit_head`);
  return version;
}

/** Responses carry whole milliseconds: a link then names exactly this period. */
async function readPeriod(db: Db, hours: number): Promise<Period> {
  return db.one<Period>(sql`
    select date_trunc('milliseconds', now()) as to,
      date_trunc('milliseconds', now()) - make_interval(hours => ${hours}) as from`);
}

type GroupRow = Pick<
  FailureGroup,
  'cause' | 'error' | 'count' | 'retried' | 'people' | 'firstAt' | 'lastAt'
> & {
  open: number;
  bar: number | null;
  samples: string[];
};

/** The order is total, so that groups of the same size keep their places. */
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

async function listSamples(db: Db, ids: readonly string[]): Promise<FailureSample[]> {
  return db.many<FailureSample>(sql`
    select p.id, u.handle, left(p.content, 200) as content, p.languages,
      coalesce(p.executed_at, p.updated_at) as "failedAt"
    from posts p join users u on u.id = p.user_id where p.id = any(${ids}::uuid[])`);
}

export const countedByCause = (period: Period<Sql>) => sql`
  select case when cause = any(${KNOWN}) then cause end as cause, count(*) as count
  from (${failedWithin(period)}) as failed group by 1`;
