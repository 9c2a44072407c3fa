import { ticketIssue } from '@meridian/contract/tickets';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { planBody } from '../../../test/plan-fixtures.ts';
import { catalogued } from '../../../test/refusal.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';

const NOT_AVAILABLE = 'Choose an active plan that is not free';

describe.each(EITHER)('the rules of tickets on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;
  let plan: Plan;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    plan = await test.context.plans.create(HOST, planBody());
  });

  const issue = (body: object = {}) =>
    test.call(ticketIssue, { token, body: { planId: plan.id, validDays: 30, ...body } });
  const accepted = async (body: object) => (await issue(body)).answer.ticket;
  const count = async () =>
    (await test.db.one<{ n: number }>(sql`select count(*) as n from tickets`)).n;
  const makePlan = (fields: Partial<PlanCreateBody>) =>
    test.context.plans.create(HOST, planBody(fields));
  /** The first issue of a refused request that left nothing behind. */
  const issueOf = async (body: object) => {
    const before = await count();
    const { status, error } = await issue(body);
    const stored = (await count()) - before;
    const [first] = error.issues ?? [];
    return { status, code: error.code, message: error.message, at: first?.path, stored };
  };
  const clock = async (offset: string) => {
    const { at } = await test.db.one<{ at: string }>(sql`select now() + ${offset}::interval as at`);
    return at;
  };

  it('takes only an active plan that is not free, hidden ones included', async () => {
    const hidden = await makePlan({ isVisible: false });
    expect((await accepted({ planId: hidden.id })).planId).toBe(hidden.id);
    const free = await makePlan({ tier: 'FREE' });
    const inactive = await makePlan({ isActive: false });
    for (const planId of [free.id, inactive.id, uuidV7(), 'basic', plan.name]) {
      expect(await issueOf({ planId })).toEqual(refusedAt('planId', NOT_AVAILABLE));
    }
    expect(await issueOf({ planId: undefined })).toEqual(refusedAt('planId', 'Plan is required'));
    expect(await issueOf({ planId: '' })).toEqual(refusedAt('planId', 'Plan is required'));
  });

  it.each([
    ['validDays', 1, 3650, 'Valid days must be a whole number from 1 to 3650'],
    ['maxRedemptions', 1, 10_000, 'Max redemptions must be a whole number from 1 to 10000'],
  ])('keeps %s from %i to %i', async (field, min, max, message) => {
    for (const value of [min, max]) {
      expect(await accepted({ [field]: value })).toMatchObject({ [field]: value });
    }
    for (const value of [min - 1, max + 1, min + 0.5, String(min), true]) {
      expect(await issueOf({ [field]: value })).toEqual(refusedAt(field, message));
    }
  });

  it('is valid for 30 days and redeemed once unless it says otherwise', async () => {
    const body = { planId: plan.id };
    const { ticket } = (await test.call(ticketIssue, { token, body })).answer;
    expect(ticket).toMatchObject({ validDays: 30, maxRedemptions: 1 });
    const unlimited = { ...body, maxRedemptions: null };
    const answer = await test.call(ticketIssue, { token, body: unlimited });
    expect(answer.answer.ticket.maxRedemptions).toBeNull();
    const message = 'Valid days must be a whole number from 1 to 3650';
    expect(await issueOf({ validDays: null })).toEqual(refusedAt('validDays', message));
  });

  it.each([
    ['monthly_posts_limit', -1, 10_000, 'Monthly posts'],
    ['concurrent_posts_limit', -1, 1000, 'Concurrent posts'],
    ['max_post_length', 1, 300, 'Max post length'],
    ['max_schedule_days', -1, 365, 'Max schedule days'],
    ['thread_posts_limit', 1, 25, 'Thread posts limit'],
  ])('keeps the override %s from %i to %i', async (name, min, max, label) => {
    for (const value of [min, max]) {
      const { limitsOverride } = await accepted({ limitsOverride: { [name]: value } });
      expect(limitsOverride).toEqual({ [name]: value });
    }
    const message = `${label} must be a whole number from ${min} to ${max}`;
    for (const value of [min - 1, max + 1, min + 0.5, String(min), null]) {
      expect(await issueOf({ limitsOverride: { [name]: value } })).toEqual(
        refusedAt(`limitsOverride.${name}`, message),
      );
    }
  });

  it('keeps the other overrides to their values, and knows no more than seven', async () => {
    for (const minutes of [1, 5, 10, 15]) {
      const limitsOverride = { schedule_interval_minutes: minutes, thread_posts: minutes > 5 };
      expect((await accepted({ limitsOverride })).limitsOverride).toEqual(limitsOverride);
    }
    expect(await issueOf({ limitsOverride: { schedule_interval_minutes: 20 } })).toEqual(
      refusedAt(
        'limitsOverride.schedule_interval_minutes',
        'Schedule interval must be one of 1, 5, 10, 15',
      ),
    );
    expect(await issueOf({ limitsOverride: { thread_posts: 1 } })).toEqual(
      refusedAt('limitsOverride.thread_posts', 'Thread posts must be true or false'),
    );
    expect(await issueOf({ limitsOverride: { storage_mb: 5 } })).toEqual(
      refusedAt('limitsOverride', 'Unknown field: storage_mb'),
    );
  });

  it('wants a deadline that is still to come, by the clock of the database', async () => {
    const soon = await clock('5 minutes');
    expect((await accepted({ redemptionDeadline: soon })).redemptionDeadline).toBe(soon);
    const message = 'Redemption deadline must be in the future';
    for (const offset of ['-1 millisecond', '-1 day']) {
      expect(await issueOf({ redemptionDeadline: await clock(offset) })).toEqual(
        refusedAt('redemptionDeadline', message),
      );
    }
  });

  it.each(['tomorrow', '2099-06-30', '2099-06-30T12:00:00', 1e12, ''])(
    'refuses the deadline %j',
    async (redemptionDeadline) => {
      expect(await issueOf({ redemptionDeadline })).toEqual(
        refusedAt(
          'redemptionDeadline',
          'Redemption deadline must be a date and time with a zone, between 2000 and 2100',
        ),
      );
    },
  );

  it('refuses a deadline of another century', async () => {
    expect(await issueOf({ redemptionDeadline: '1999-12-31T00:00:00Z' })).toEqual(
      refusedAt('redemptionDeadline', 'Redemption deadline must be between 2000 and 2100'),
    );
  });

  it('takes a memo of up to a thousand characters, as text', async () => {
    const memo = '<b>Ünïcode</b> 🎟️\nsecond line';
    expect((await accepted({ memo })).memo).toBe(memo);
    expect((await accepted({ memo: 'x'.repeat(1000) })).memo).toHaveLength(1000);
    expect(await issueOf({ memo: 'x'.repeat(1001) })).toEqual(
      refusedAt('memo', 'Memo must be at most 1000 characters'),
    );
    const answer = await issue({ memo: 'nul \u0000 here' });
    expect(answer.status).toBe(400);
  });

  it('refuses a field it does not know', async () => {
    expect(await issueOf({ code: 'AAAA-BBBB-CCCC-DDDD' })).toEqual(
      refusedAt('', 'Unknown field: code'),
    );
    expect(await issueOf({ redemptionCount: 5 })).toEqual(
      refusedAt('', 'Unknown field: redemptionCount'),
    );
  });
});

function refusedAt(at: string, message: string) {
  return { ...catalogued('invalid_input', message), at, stored: 0 };
}
