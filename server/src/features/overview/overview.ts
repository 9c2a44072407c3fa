import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import { CAUSES, HOLDS, isCause } from '@meridian/contract/causes';
import {
  DUE_COUNT_MAX,
  OVERVIEW_COUNT_MAX,
  handoverUpdate,
  overviewGet,
} from '@meridian/contract/overview';
import type { DuePosts, Handover, Overview, Visit } from '@meridian/contract/overview';
import type { FastifyInstance } from 'fastify';
import { entryOf } from '../../audit/audit.store.ts';
import type { Author } from '../../audit/audit.store.ts';
import type { Database, Db } from '../../db/database.ts';
import { isExpected, sql } from '../../db/sql.ts';
import type { ExpectedVersions, Sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { expectedBy, register, tagged } from '../../http/register.ts';
import { sentenceOfHold } from '../engine/engine.ts';
import type { createEngineService } from '../engine/engine.ts';
import { countedByCause } from '../failures/failures.ts';
import { CLAIM_IS_NEAR, FAILED_AT, IS_OVERDUE, IS_STUCK } from '../posts/posts-filtered.store.ts';

export function overviewRoutes(
  app: FastifyInstance,
  { overview }: { overview: ReturnType<typeof createOverviewService> },
): void {
  register(app, overviewGet, ({ actor }) => overview.get(actor.adminId));

  register(app, handoverUpdate, async ({ actor, body, request, reply }) => ({
    handover: tagged(reply, await overview.saveHandover(actor, body.text, expectedBy(request))),
  }));
}

/** A post takes about a microsecond to count: the charts take at most a hundredth of the time. */
const KEPT_MS_PER_POST = 0.1;
const SLOTS = { hour: { minutes: 1, count: 60 }, day: { minutes: 15, count: 96 } };

export function createOverviewService(
  db: Database,
  engine: Pick<ReturnType<typeof createEngineService>, 'condition'>,
) {
  const readDue = keptBriefly(
    () => readDuePosts(db.byIndex, SLOTS),
    ({ day }) => countOf(day) * KEPT_MS_PER_POST,
  );
  return {
    async get(adminId: string): Promise<Overview> {
      const [condition, found, due] = await Promise.all([
        engine.condition(),
        readNow(db.byIndex, adminId),
        readDue(),
      ]);
      const { now, dayAgo, held, failed, visit, ...rest } = found;
      return {
        ...rest,
        held: held.map(({ hold, count }) => ({ hold, sentence: sentenceOfHold(hold), count })),
        failed: { from: dayAgo, to: now, byOwner: byOwner(failed) },
        engine: condition,
        nextHour: dueOf(due.now, SLOTS.hour, due.hour),
        nextDay: dueOf(due.now, SLOTS.day, due.day),
        visit: visit && { ...visit, to: now },
      };
    },

    async saveHandover(
      by: Author,
      text: string,
      expected: ExpectedVersions = null,
    ): Promise<Handover> {
      const handover = await db.maybeOne<Handover>(sql`
        with old as (
          select id as key, jsonb_build_object('text', text) as was from handover
          where ${isExpected(expected)} for no key update),
        changed as (
          update handover set text = ${text}, author = ${by.username}, updated_at = now(),
            version = version + 1
          from old where id = key
          returning id, text, author, updated_at, version, was, jsonb_build_object('text', text) as became),
        audited as (${entryOf({ by, action: 'handoverUpdate' })})
        select text, author, updated_at as "updatedAt", version from changed`);
      if (handover === null) throw new AppError('handover_changed_elsewhere');
      return handover;
    },
  };
}

const ownerOf = (cause: string | null) =>
  cause !== null && isCause(cause) ? CAUSES[cause].owner : 'us';

function byOwner(failed: NowRow['failed']): Overview['failed']['byOwner'] {
  return CAUSE_OWNERS.map((owner) => ({
    owner,
    count: countOf(failed.filter(({ cause }) => ownerOf(cause) === owner)),
  }));
}

const countOf = (parts: readonly { count: number }[]) =>
  parts.reduce((sum, { count }) => sum + count, 0);

function dueOf(now: string, { minutes, count }: Slots, slots: DuePosts['slots']): DuePosts {
  const stepMs = minutes * 60_000;
  const to = (Math.floor(Date.parse(now) / stepMs) + count) * stepMs;
  const isCut = countOf(slots) >= DUE_COUNT_MAX;
  return {
    from: now,
    to: new Date(to).toISOString(),
    stepMinutes: minutes,
    slots: isCut ? slots.slice(0, -1) : slots,
    countedTo: isCut ? (slots.at(-1)?.at ?? null) : null,
  };
}

/** Everybody with the same page open asks with every change of any post, so callers share a reading. */
export function keptBriefly<T>(
  read: () => Promise<T>,
  msOf: (value: T) => number,
  now = () => performance.now(),
) {
  let kept: Promise<T> | null = null;
  let until = -Infinity;
  return (): Promise<T> => {
    if (kept !== null && now() < until) return kept;
    until = Infinity;
    kept = read();
    kept.then(
      (value) => (until = now() + msOf(value)),
      () => (until = -Infinity),
    );
    return kept;
  };
}

const MOST = sql.whole(OVERVIEW_COUNT_MAX);
const NOW = sql`date_trunc('milliseconds', now())`;
const DAY_AGO = sql`${NOW} - interval '24 hours'`;

type NowRow = Pick<Overview, 'overdue' | 'stuck' | 'handover'> & {
  now: string;
  dayAgo: string;
  held: { hold: string; count: number }[];
  failed: { cause: string | null; count: number }[];
  visit: Omit<Visit, 'to'> | null;
};

/** A round trip for each part would take longer than the part. */
export async function readNow(db: Db, adminId: string): Promise<NowRow> {
  return db.one<NowRow>(sql`
    select ${NOW} as now, ${DAY_AGO} as "dayAgo",
      ${asObject(waitingOf(IS_OVERDUE))} as overdue, ${asObject(waitingOf(IS_STUCK))} as stuck,
      ${asArray(HELD)} as held, ${asArray(countedByCause({ from: DAY_AGO, to: NOW }))} as failed,
      ${asObject(visitOf(adminId))} as visit, ${asObject(HANDOVER_NOTE)} as handover`);
}

const asObject = (row: Sql) => sql`(select to_json(found) from (${row}) as found)`;
const asArray = (rows: Sql) =>
  sql`(select coalesce(json_agg(found), '[]') from (${rows}) as found)`;
/** Within JSON the driver does not see a time. */
const iso = (time: Sql) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** `(…) is true` keeps the planner from an index other than posts_claim. */
const waitingOf = (condition: Sql) => sql`
  select count(*) as count, ${iso(sql`min(scheduled_at)`)} as "oldestAt"
  from (select scheduled_at from posts where ${CLAIM_IS_NEAR} and (${condition}) is true
        order by claim_at limit ${MOST}) as waiting`;

/** Each word is counted by itself: a count of all would stop at one of them. */
const HELD = sql`
  select known.hold, held.count
  from unnest(${Object.keys(HOLDS)}::text[]) as known (hold) cross join lateral (
    select count(*) as count
    from (select from posts where hold = known.hold limit ${MOST}) as some_posts) as held
  where held.count > 0 order by held.count desc, known.hold`;

type Slots = { minutes: number; count: number };
type Charts<Chart> = Record<'hour' | 'day', Chart>;

export function readDuePosts(db: Db, { hour, day }: Charts<Slots>) {
  return db.one<Charts<DuePosts['slots']> & { now: string }>(sql`
    select ${NOW} as now, ${asArray(dueBy(hour))} as hour, ${asArray(dueBy(day))} as day`);
}

function dueBy({ minutes, count }: Slots): Sql {
  const slotOf = (time: Sql) => sql`
    date_bin(make_interval(mins => ${minutes}::integer), ${time}, timestamptz '2000-01-01Z')`;
  return sql`
    select ${iso(sql`slot`)} as at, count(*) as count
    from (select ${slotOf(sql`scheduled_at`)} as slot from posts
          where status = 'PENDING' and scheduled_at >= ${NOW}
            and scheduled_at < ${slotOf(sql`now()`)} + make_interval(mins => ${minutes * count}::integer)
          order by status, scheduled_at limit ${sql.whole(DUE_COUNT_MAX)}) as pending
    group by slot order by slot`;
}

const counted = (rows: Sql) => sql`(select count(*) from (${rows} limit ${MOST}) as some_rows)`;
const SETTINGS_MAX = sql.whole(10);

const visitOf = (adminId: string) => sql`
  select ${iso(sql`since`)} as since,
    ${counted(sql`
      select from users where created_at >= since and created_at < ${NOW}
      order by created_at`)} as people,
    ${counted(sql`
      select from posts
      where status = 'COMPLETED' and scheduled_at >= since and scheduled_at < ${NOW}
      order by status, scheduled_at`)} as published,
    ${counted(sql`
      select from posts
      where status = 'FAILED' and ${FAILED_AT} >= since and ${FAILED_AT} < ${NOW}
      order by ${FAILED_AT}`)} as failed,
    ${counted(sql`
      select from plan_assignments
      where ticket_id is not null and created_at >= since and created_at < ${NOW}
      order by created_at`)} as redeemed,
    ${asArray(sql`
      select ${iso(sql`at`)} as at, actor_name as by, coalesce(after, '{}') as changes from audit_log
      where entity = 'settings' and at >= since order by audit_log.at desc limit ${SETTINGS_MAX}`)} as settings
  from (select date_trunc('milliseconds', since) as since from admin_visits
        where admin_id = ${adminId} and since is not null) as last_visit`;

const HANDOVER_NOTE = sql`
  select text, author, ${iso(sql`updated_at`)} as "updatedAt", version from handover`;
