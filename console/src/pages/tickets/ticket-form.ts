import type { PlanLimits } from '@meridian/contract/plan-limits';
import type { Plan } from '@meridian/contract/plans';
import {
  limitsOverrideInput,
  OVERRIDE_NAMES,
  type OverrideName,
  TICKET_DEFAULTS,
  TICKET_MESSAGES,
  type ticketIssueBody,
} from '@meridian/contract/tickets';
import type { Issue } from '@meridian/contract/validation';
import { plansInOrder } from '../../components/display-order.ts';
import type { BodyDraft } from '../../components/form/issues.ts';
import { parseNumber } from '../../ui/number-text.ts';

/** What stands in the fields: numbers as typed, the deadline in the browser's zone. */
export interface TicketValues {
  planId: string;
  validDays: string;
  maxRedemptions: string;
  redemptionDeadline: string;
  /** A date without a time, or the other way round, is no value at all to the browser. */
  isDeadlineIncomplete: boolean;
  memo: string;
  hasOverrides: boolean;
  /** Empty means the plan's own. */
  limitsOverride: Record<OverrideName, string>;
}

export const NEW_TICKET_VALUES: TicketValues = {
  planId: '',
  validDays: String(TICKET_DEFAULTS.validDays),
  maxRedemptions: String(TICKET_DEFAULTS.maxRedemptions),
  redemptionDeadline: '',
  isDeadlineIncomplete: false,
  memo: '',
  hasOverrides: false,
  limitsOverride: {
    monthly_posts_limit: '',
    concurrent_posts_limit: '',
    schedule_interval_minutes: '',
    max_post_length: '',
    max_schedule_days: '',
    thread_posts: '',
    thread_posts_limit: '',
  },
};

/** No number at all: the contract's own sentence says what is wanted instead. */
const numberIn = (text: string) => parseNumber(text) ?? Number.NaN;

function overrideIn(name: OverrideName, text: string): number | boolean {
  return name === 'thread_posts' ? text === 'true' : numberIn(text);
}

/** What can be overridden as the form stands: without threads they have no limit either. */
export function overridable({ limitsOverride }: TicketValues): readonly OverrideName[] {
  const hasThreads = limitsOverride.thread_posts !== 'false';
  return OVERRIDE_NAMES.filter((name) => hasThreads || name !== 'thread_posts_limit');
}

/** The overrides that were filled in, or nothing at all. */
function overridesIn(values: TicketValues) {
  const { hasOverrides, limitsOverride } = values;
  if (!hasOverrides) return undefined;
  const filled = overridable(values).filter((name) => limitsOverride[name].trim() !== '');
  if (filled.length === 0) return undefined;
  return Object.fromEntries(filled.map((name) => [name, overrideIn(name, limitsOverride[name])]));
}

/** Undefined for what is no time. */
export function deadlineOf(local: string): Date | undefined {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? undefined : date;
}

/** The body these fields mean: what was left empty is left out. */
export function ticketBody(values: TicketValues): BodyDraft<typeof ticketIssueBody> {
  return {
    planId: values.planId,
    validDays: numberIn(values.validDays),
    maxRedemptions: numberIn(values.maxRedemptions),
    redemptionDeadline:
      values.redemptionDeadline === ''
        ? undefined
        : (deadlineOf(values.redemptionDeadline)?.toISOString() ?? values.redemptionDeadline),
    memo: values.memo.trim() === '' ? undefined : values.memo,
    limitsOverride: overridesIn(values),
  };
}

export function deadlineIssues(values: TicketValues, now: Date): Issue[] {
  const path = 'redemptionDeadline';
  if (values.isDeadlineIncomplete) {
    return [{ path, message: 'Redemption deadline needs both a date and a time' }];
  }
  const deadline = deadlineOf(values.redemptionDeadline);
  if (deadline === undefined || deadline > now) return [];
  return [{ path, message: TICKET_MESSAGES.deadlinePassed }];
}

/** The overrides that are fit to be sent: what is not valid yet changes nothing yet. */
export function validOverrides(values: TicketValues): PlanLimits {
  const overrides: PlanLimits = {};
  for (const [name, value] of Object.entries(overridesIn(values) ?? {})) {
    const parsed = limitsOverrideInput.safeParse({ [name]: value });
    if (parsed.success) Object.assign(overrides, parsed.data);
  }
  return overrides;
}

/** Tickets grant active plans that cost something; hidden ones too, as that is what they are for. */
export function plansForTickets(plans: readonly Plan[]): Plan[] {
  return plansInOrder(plans.filter(({ isActive, tier }) => isActive && tier !== 'FREE'));
}
