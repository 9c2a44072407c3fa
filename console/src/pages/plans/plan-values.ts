import type { Currency } from '@meridian/contract/currencies';
import { type Language, LANGUAGE_NAMES, LANGUAGES } from '@meridian/contract/fields';
import {
  PLAN_DEFAULT_CURRENCY,
  type Plan,
  type PlanTier,
  decimalPlacesOf,
  decimalsOf,
} from '@meridian/contract/plans';
import {
  PLAN_LIMIT_FORM_DEFAULTS,
  type PLAN_LIMIT_RANGES,
  type PlanLimits,
} from '@meridian/contract/plan-limits';
import { limitLabel } from '../../components/limit-text.ts';

export type NumberLimit = keyof typeof PLAN_LIMIT_RANGES;
type FlagLimit = 'markdown_support' | 'thread_posts' | 'video_upload_enabled';
type LimitValues = Record<NumberLimit | 'schedule_interval_minutes', string> &
  Record<FlagLimit, boolean>;
type Texts = Record<Language, string>;

/** What stands in the fields of the plan form: numbers as typed, features one per line. */
export interface PlanValues {
  tier: PlanTier | '';
  name: string;
  displayName: Texts;
  description: Texts;
  features: Texts;
  isPaid: boolean;
  currency: string;
  /** By currency code. Those without a field (inactive currencies) are kept as they are. */
  priceMonthly: Record<string, string>;
  priceYearly: Record<string, string>;
  limits: LimitValues;
  displayOrder: string;
  isActive: boolean;
  isVisible: boolean;
}

/** Texts per language, or lists with one line each. */
function textsFrom(source: Readonly<Record<string, string | string[]>>): Texts {
  const entries = LANGUAGES.map((language) => {
    const value = source[language];
    return [language, Array.isArray(value) ? value.join('\n') : (value ?? '')];
  });
  // Object.fromEntries forgets that every language is there.
  return Object.fromEntries(entries) as Texts;
}

function limitsFrom(limits: PlanLimits): LimitValues {
  const number = (name: keyof LimitValues) =>
    typeof limits[name] === 'number' ? String(limits[name]) : '';
  return {
    monthly_posts_limit: number('monthly_posts_limit'),
    pending_posts_limit: number('pending_posts_limit'),
    concurrent_posts_limit: number('concurrent_posts_limit'),
    max_schedule_days: number('max_schedule_days'),
    schedule_interval_minutes: number('schedule_interval_minutes'),
    markdown_support: limits['markdown_support'] === true,
    max_images_per_post: number('max_images_per_post'),
    max_image_size_mb: number('max_image_size_mb'),
    thread_posts: limits['thread_posts'] === true,
    thread_posts_limit: number('thread_posts_limit'),
    video_upload_enabled: limits['video_upload_enabled'] === true,
    // Null means not available, which is typed as 0.
    max_video_size_mb: number('max_video_size_mb') || '0',
    video_processing_minutes_per_month: number('video_processing_minutes_per_month'),
    max_post_length: number('max_post_length'),
    storage_mb: number('storage_mb'),
    api_rate_limit_per_hour: number('api_rate_limit_per_hour'),
    data_retention_days: number('data_retention_days'),
  };
}

/** What the form starts with for a new plan. */
export const NEW_PLAN_VALUES: PlanValues = {
  tier: '',
  name: '',
  displayName: textsFrom({}),
  description: textsFrom({}),
  features: textsFrom({}),
  isPaid: false,
  currency: PLAN_DEFAULT_CURRENCY,
  priceMonthly: {},
  priceYearly: {},
  limits: limitsFrom({ ...PLAN_LIMIT_FORM_DEFAULTS, video_processing_minutes_per_month: 0 }),
  displayOrder: '0',
  isActive: true,
  isVisible: true,
};

/** The same where the usual default currency is not among those on offer. */
export function newPlanValues(active: readonly { code: string }[]): PlanValues {
  const hasDefault = active.some(({ code }) => code === PLAN_DEFAULT_CURRENCY);
  const currency = hasDefault ? undefined : active[0]?.code;
  return currency === undefined ? NEW_PLAN_VALUES : { ...NEW_PLAN_VALUES, currency };
}

/** 4.9 in a currency with two decimals -> '4.90'. Never rounded. */
function amountText(amount: number, currency: Currency | undefined): string {
  const places = currency === undefined ? 0 : decimalsOf(currency);
  return decimalPlacesOf(amount) < places ? amount.toFixed(places) : String(amount);
}

/** The same fields for a plan there is. */
export function valuesOfPlan(plan: Plan, currencies: readonly Currency[]): PlanValues {
  const pricesFrom = (prices: Plan['priceMonthly']) =>
    Object.fromEntries(
      Object.entries(prices ?? {}).map(([code, amount]) => {
        const currency = currencies.find((candidate) => candidate.code === code);
        return [code, amountText(amount, currency)];
      }),
    );
  return {
    tier: '',
    name: plan.name,
    displayName: textsFrom(plan.displayName),
    description: textsFrom(plan.description),
    features: textsFrom(plan.features),
    isPaid: Boolean(plan.priceMonthly),
    currency: plan.currency,
    priceMonthly: pricesFrom(plan.priceMonthly),
    priceYearly: pricesFrom(plan.priceYearly),
    limits: limitsFrom(plan.limits),
    displayOrder: String(plan.displayOrder),
    isActive: plan.isActive,
    isVisible: plan.isVisible,
  };
}

const LABELS: Readonly<Record<string, string>> = {
  tier: 'Tier',
  name: 'Name',
  displayName: 'Display name',
  description: 'Description',
  features: 'Features',
  isPaid: 'Paid plan',
  currency: 'Default currency',
  priceMonthly: 'Monthly price',
  priceYearly: 'Yearly price',
  displayOrder: 'Display order',
  isActive: 'Active',
  isVisible: 'Visible',
} satisfies Record<Exclude<keyof PlanValues, 'limits'>, string>;

const languages: Readonly<Record<string, string>> = LANGUAGE_NAMES;

/** What people read for a field of the plan form: 'limits.storage_mb' -> 'Storage'. */
export function planLabel(path: string): string {
  const [head = '', detail] = path.split('.');
  const words = LABELS[head] ?? head;
  if (detail === undefined) return words;
  if (head === 'limits') return limitLabel(detail);
  return `${words} (${languages[detail] ?? detail.toUpperCase()})`;
}
