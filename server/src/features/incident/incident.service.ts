import { INCIDENT_MESSAGES, outcomeOf } from '@meridian/contract/incident';
import type { Suspension } from '@meridian/contract/engine';
import type { ResumeState, serviceResume } from '@meridian/contract/incident';
import type { AnswerOf, BodyOf } from '@meridian/contract/endpoint';
import { record } from '../../audit/entry.ts';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { PLAN_BY_INDEX_LOCALLY } from '../../db/plan-by-index.ts';
import { AppError, invalidField } from '../../http/app-error.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import type { ClaimRules } from '../engine/engine.store.ts';
import * as store from './incident.store.ts';
import type { SuspensionDetails, Waiting } from './incident.store.ts';

type Plan = AnswerOf<typeof serviceResume>['plan'];

/** There is one row of settings. */
const SETTINGS_ID = '1';
const PREVIEW_LIFE_MS = 60 * 60_000;

export function createIncidentService(db: Database, rules: ClaimRules) {
  const { lateLimitMinutes } = rules;
  return {
    async update(
      by: Author,
      details: SuspensionDetails,
      expected: ExpectedVersions,
    ): Promise<Suspension> {
      const { expectedEndAt } = details;
      if (expectedEndAt !== null && !(await store.mayEndAt(db, expectedEndAt))) {
        throw invalidField('expectedEndAt', INCIDENT_MESSAGES.endPassed);
      }
      const audit = { by, action: 'suspensionUpdate' } as const;
      const suspension = await store.updateSuspension(db, details, expected, audit);
      if (suspension === null) throw new AppError('settings_changed_elsewhere');
      return suspension;
    },

    async preview(): Promise<ResumeState> {
      const asOf = await store.readMoment(db);
      const waiting = await store.readWaiting(db.byIndex, asOf, rules);
      const { bands, held } = waiting;
      return { token: tokenOf(asOf, waiting), asOf, lateLimitMinutes, bands, held };
    },

    /** Only while exactly the posts of the preview wait; one that came due since is not of the plan. */
    async resume(by: Author, body: BodyOf<typeof serviceResume>): Promise<Plan> {
      const { token, tooLate, perMinute } = body;
      return db.transaction(async (tx) => {
        const suspended = await store.lockSuspended(tx);
        if (suspended === null) throw new AppError('service_not_suspended');
        const asOf = momentOf(token, Date.parse(suspended.now));
        await tx.execute(PLAN_BY_INDEX_LOCALLY);
        const waiting = await store.readWaiting(tx, asOf, rules);
        if (tokenOf(asOf, waiting) !== token) throw changedSince(token, waiting);
        const { minutes, ...counts } = outcomeOf(waiting.bands, tooLate, perMinute);
        await store.resumeByPlan(tx, { asOf, tooLate, perMinute, minutes }, lateLimitMinutes);
        const after = {
          is_service_suspended: false,
          waiting_as_of: asOf,
          published_late: counts.publish,
          posts_per_minute: perMinute,
          marked_too_late: counts.tooLate,
          too_late_bands: tooLate,
        };
        const before = { is_service_suspended: true };
        await record(tx, { by, action: 'serviceResume' }, { id: SETTINGS_ID, before, after });
        return { ...counts, perMinute };
      });
    },
  };
}

function totalOf({ bands }: Pick<Waiting, 'bands'>): number {
  return bands.reduce((sum, { count }) => sum + count, 0);
}

/** `2026-11-16T18:00:00.000Z/240/-3w5e…`: the moment, how many posts, and which. */
function tokenOf(asOf: string, waiting: Waiting): string {
  return [asOf, totalOf(waiting), waiting.digest].join('/');
}

function momentOf(token: string, now: number): string {
  const [asOf = ''] = token.split('/');
  const at = Date.parse(asOf);
  if (Number.isNaN(at) || at > now || at < now - PREVIEW_LIFE_MS) {
    throw invalidField('token', INCIDENT_MESSAGES.wrongToken);
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
