import type { AnswerOf, BodyOf } from '@meridian/contract/endpoint';
import type { Suspension } from '@meridian/contract/engine';
import {
  SUSPENSION_MESSAGES,
  RESUME_BANDS,
  RESUME_BAND_NAMES,
  outcomeOf,
  resumePreview,
  serviceResume,
  suspensionUpdate,
} from '@meridian/contract/suspension';
import type { ResumeState } from '@meridian/contract/suspension';
import type { FastifyInstance } from 'fastify';
import { entryOf, record } from '../../audit/audit.store.ts';
import type { Author } from '../../audit/audit.store.ts';
import type { Database, Db } from '../../db/database.ts';
import { PLAN_BY_INDEX_LOCALLY, isExpected, sql } from '../../db/sql.ts';
import type { ExpectedVersions } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { expectedBy, register } from '../../http/register.ts';
import { mayPublish } from '../engine/engine.ts';
import type { ClaimRules } from '../engine/engine.ts';

export function suspensionRoutes(
  app: FastifyInstance,
  { suspension }: { suspension: ReturnType<typeof createSuspensionService> },
): void {
  register(app, suspensionUpdate, async ({ actor, body, request }) => ({
    suspension: await suspension.update(actor, body, expectedBy(request)),
  }));

  register(app, resumePreview, () => suspension.preview());

  register(app, serviceResume, async ({ actor, body }) => ({
    plan: await suspension.resume(actor, body),
  }));
}

const PREVIEW_LIFE_MS = 60 * 60_000;

const DETAILS = sql`jsonb_build_object('is_service_suspended', is_service_suspended,
  'expected_end_at', expected_end_at, 'notice_for_people', notice)`;

export function createSuspensionService(db: Database, rules: ClaimRules) {
  const { lateLimitMinutes } = rules;
  return {
    async update(
      by: Author,
      { expectedEndAt, noticeForPeople }: Pick<Suspension, 'expectedEndAt' | 'noticeForPeople'>,
      expected: ExpectedVersions,
    ): Promise<Suspension> {
      if (expectedEndAt !== null) {
        // An end that has passed stays while the notice is changed.
        const { mayEnd } = await db.one<{ mayEnd: boolean }>(sql`
          select ${expectedEndAt}::timestamptz > now()
            or date_trunc('milliseconds', expected_end_at) is not distinct from ${expectedEndAt}
            as "mayEnd"
          from service_settings`);
        if (!mayEnd) throw invalidField('expectedEndAt', SUSPENSION_MESSAGES.endPassed);
      }
      const { username, reason = null } = by;
      const suspension = await db.maybeOne<Suspension>(sql`
        with old as (
          select id as key, ${DETAILS} as was from service_settings
          where ${isExpected(expected)} for no key update),
        changed as (
          update service_settings set is_service_suspended = true,
            suspended_by = case when is_service_suspended then suspended_by else ${username} end,
            suspension_reason = coalesce(${reason}, suspension_reason),
            expected_end_at = ${expectedEndAt}, notice = ${noticeForPeople}, updated_at = now()
          from old where id = key
          returning id, suspended_by, suspension_reason, expected_end_at, notice, was, ${DETAILS} as became),
        audited as (${entryOf({ by, action: 'suspensionUpdate' })})
        select suspended_by as by, suspension_reason as reason, expected_end_at as "expectedEndAt",
          notice as "noticeForPeople"
        from changed`);
      if (suspension === null) throw new AppError('settings_changed_elsewhere');
      return suspension;
    },

    async preview(): Promise<ResumeState> {
      const { now: asOf } = await db.one<{ now: string }>(
        sql`select date_trunc('milliseconds', clock_timestamp()) as now`,
      );
      const waiting = await readWaiting(db.byIndex, asOf, rules);
      const { bands, held } = waiting;
      return { token: tokenOf(asOf, waiting), asOf, lateLimitMinutes, bands, held };
    },

    /** Exactly the posts of the preview still have to wait; one that came due since is not of the plan. */
    async resume(
      by: Author,
      { token, tooLate, perMinute }: BodyOf<typeof serviceResume>,
    ): Promise<AnswerOf<typeof serviceResume>['plan']> {
      return db.transaction(async (tx) => {
        const suspended = await tx.maybeOne<{ now: string }>(sql`
          select clock_timestamp() as now from service_settings
          where is_service_suspended for no key update`);
        if (suspended === null) throw new AppError('service_not_suspended');
        const asOf = momentOf(token, Date.parse(suspended.now));
        await tx.execute(PLAN_BY_INDEX_LOCALLY);
        const waiting = await readWaiting(tx, asOf, rules);
        if (tokenOf(asOf, waiting) !== token) throw changedSince(token, waiting);
        const { minutes, ...counts } = outcomeOf(waiting.bands, tooLate, perMinute);
        await resumeByPlan(tx, { asOf, tooLate, perMinute, minutes }, lateLimitMinutes);
        const after = {
          is_service_suspended: false,
          waiting_as_of: asOf,
          published_late: counts.publish,
          posts_per_minute: perMinute,
          marked_too_late: counts.tooLate,
          too_late_bands: tooLate,
        };
        const before = { is_service_suspended: true };
        await record(tx, { by, action: 'serviceResume' }, { id: '1', before, after });
        return { ...counts, perMinute };
      });
    },
  };
}

const totalOf = ({ bands }: Waiting) => bands.reduce((sum, { count }) => sum + count, 0);

function tokenOf(asOf: string, waiting: Waiting): string {
  return [asOf, totalOf(waiting), waiting.digest].join('/');
}

function momentOf(token: string, now: number): string {
  const [asOf = ''] = token.split('/');
  const at = Date.parse(asOf);
  if (Number.isNaN(at) || at > now || at < now - PREVIEW_LIFE_MS) {
    throw invalidField('token', SUSPENSION_MESSAGES.wrongToken);
  }
  return new Date(at).toISOString();
}

function changedSince(token: string, waiting: Waiting): AppError {
  const [, before = ''] = token.split('/');
  const [then, now] = [Number(before), totalOf(waiting)].map((n) => n.toLocaleString('en-US'));
  return new AppError('waiting_posts_changed', {
    message: `The posts that wait have changed: ${then} in the preview, ${now} now. Look again.`,
  });
}

type Waiting = Pick<ResumeState, 'bands' | 'held'> & { digest: string };

export async function readWaiting(
  db: Db,
  asOf: string,
  rules: Pick<ClaimRules, 'needsAccount'>,
): Promise<Waiting> {
  const edges = RESUME_BAND_NAMES.map((band) => RESUME_BANDS[band].from);
  const rows = await db.many<{ band: number; count: number; held: number; digest: string }>(sql`
    select width_bucket(greatest(0, extract(epoch from ${asOf}::timestamptz - scheduled_at) / 60),
                        ${edges}::numeric[]) as band,
      (count(*) filter (where may_publish))::integer as count,
      (count(*) filter (where not may_publish))::integer as held,
      coalesce(bit_xor(hashtextextended(id::text || extract(epoch from scheduled_at), 0))
        filter (where may_publish), 0)::text as digest
    from (select id, greatest(scheduled_at, timestamptz '2000-01-01Z') as scheduled_at,
            ${mayPublish(sql`posts.user_id`, rules)} as may_publish
          from posts where claim_at <= ${asOf} and (status = 'PENDING') is true) as waiting
    group by 1 order by 1`);
  const countOf = (index: number) => rows.find(({ band }) => band === index + 1)?.count ?? 0;
  return {
    bands: RESUME_BAND_NAMES.map((band, index) => ({ band, count: countOf(index) })),
    held: rows.reduce((sum, row) => sum + row.held, 0),
    digest: rows.reduce((all, { digest }) => all ^ BigInt(digest), 0n).toString(36),
  };
}

type ResumePlan = Pick<BodyOf<typeof serviceResume>, 'tooLate' | 'perMinute'> & {
  asOf: string;
  minutes: number;
};

async function resumeByPlan(
  tx: Db,
  { asOf, tooLate, perMinute, minutes }: ResumePlan,
  graceMinutes: number,
): Promise<void> {
  const bands = tooLate.map((band) => RESUME_BANDS[band]);
  // A band without an end reaches back to the first post, the first one on to those due by now.
  await tx.execute(sql`
    update service_settings set is_service_suspended = false, resume_as_of = ${asOf},
      resume_pace = interval '1 minute' / ${perMinute}::float8,
      resume_ends_at = clock_timestamp() + make_interval(mins => ${Math.ceil(minutes + graceMinutes)}),
      resume_too_late = (
        select coalesce(range_agg(tstzrange(
          ${asOf}::timestamptz - make_interval(mins => until_minutes),
          case when from_minutes > 0 then ${asOf}::timestamptz - make_interval(mins => from_minutes) end,
          '(]')), '{}')
        from unnest(${bands.map(({ from }) => from)}::integer[], ${bands.map(({ to }) => to)}::integer[])
          as band (from_minutes, until_minutes)),
      updated_at = now()`);
  await tx.execute(sql`delete from catch_up where user_id = resume_lane()`);
}
