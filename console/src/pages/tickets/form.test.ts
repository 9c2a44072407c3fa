import { describe, expect, test } from 'vitest';
import type { Plan } from '@meridian/contract/plans';
import { TICKET_MESSAGES, ticketIssueBody } from '@meridian/contract/tickets';
import {
  deadlineIssues,
  NEW_TICKET_VALUES,
  plansForTickets,
  ticketBody,
  type TicketValues,
  validOverrides,
} from './form.tsx';

const values = (fields: Partial<TicketValues> = {}): TicketValues => ({
  ...NEW_TICKET_VALUES,
  planId: 'plan-1',
  ...fields,
});
const overrides = (fields: Partial<TicketValues['limitsOverride']>) =>
  values({
    hasOverrides: true,
    limitsOverride: { ...NEW_TICKET_VALUES.limitsOverride, ...fields },
  });
const plan = (fields: Partial<Plan>) =>
  ({ tier: 'BASIC', isActive: true, isVisible: true, ...fields }) as Plan; // the rest is not looked at
const sent = (input: TicketValues): unknown => JSON.parse(JSON.stringify(ticketBody(input)));

describe('the body', () => {
  test('starts with the defaults and leaves out what is empty', () => {
    expect(sent(values())).toEqual({ planId: 'plan-1', validDays: 30, maxRedemptions: 1 });
    expect(sent(values({ memo: '   ' }))).not.toHaveProperty('memo');
  });

  test('carries only the overrides that were filled in, and none while they are off', () => {
    const filled = overrides({ monthly_posts_limit: '-1', thread_posts: 'false' });
    expect(sent(filled)).toMatchObject({
      limitsOverride: { monthly_posts_limit: -1, thread_posts: false },
    });
    expect(sent({ ...filled, hasOverrides: false })).not.toHaveProperty('limitsOverride');
    expect(sent(overrides({}))).not.toHaveProperty('limitsOverride');
  });

  test('turns the deadline of this zone into UTC', () => {
    const redemptionDeadline = '2027-01-31T18:30';
    expect(sent(values({ redemptionDeadline }))).toMatchObject({
      redemptionDeadline: new Date(2027, 0, 31, 18, 30).toISOString(),
    });
  });

  test.each(['', 'ten', '1.5', '0', '10001'])(
    'never takes %j for a number of redemptions, least of all for no maximum',
    (maxRedemptions) => {
      expect(ticketIssueBody.safeParse(ticketBody(values({ maxRedemptions }))).success).toBe(false);
    },
  );

  test.each(['99999-01-01T00:00', 'soon'])('does not break on the deadline %j', (text) => {
    const body = ticketBody(values({ redemptionDeadline: text }));
    expect(ticketIssueBody.safeParse(body).success).toBe(false);
  });

  test('names the years that a deadline may have, and no zone: the field takes none', () => {
    const body = ticketBody(values({ redemptionDeadline: '9999-01-01T00:00' }));
    expect(ticketIssueBody.safeParse(body).error?.issues).toMatchObject([
      { message: 'Redemption deadline must be between 2000 and 2100' },
    ]);
  });
});

describe('the deadline', () => {
  const now = new Date(2027, 0, 31, 18, 30);
  test.each([
    ['', []],
    ['2027-01-31T18:31', []],
    ['2027-01-31T18:30', [TICKET_MESSAGES.deadlinePassed]],
    ['2020-01-01T00:00', [TICKET_MESSAGES.deadlinePassed]],
  ])('%j', (redemptionDeadline, messages) => {
    const issues = deadlineIssues(values({ redemptionDeadline }), now);
    expect(issues.map(({ message }) => message)).toEqual(messages);
  });

  test('half typed is not mistaken for none', () => {
    const issues = deadlineIssues(values({ isDeadlineIncomplete: true }), now);
    expect(issues.map(({ path }) => path)).toEqual(['redemptionDeadline']);
  });
});

test('the preview takes over what is valid only', () => {
  const input = overrides({
    monthly_posts_limit: '10001',
    concurrent_posts_limit: '5',
    schedule_interval_minutes: '15',
    max_post_length: 'x',
    thread_posts: 'true',
  });
  expect(validOverrides(input)).toEqual({
    concurrent_posts_limit: 5,
    schedule_interval_minutes: 15,
    thread_posts: true,
  });
});

test('tickets are for active plans that are not free, hidden ones included', () => {
  const hidden = plan({ isVisible: false });
  const offered = plansForTickets([
    plan({ tier: 'FREE' }),
    plan({ isActive: false }),
    hidden,
    plan({ tier: 'GOLD' }),
  ]);
  expect(offered).toEqual([hidden, plan({ tier: 'GOLD' })]);
});
