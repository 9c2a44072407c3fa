import type { Currency } from '@meridian/contract/currencies';
import { keysOf, type Language, LANGUAGE_NAMES, LANGUAGES } from '@meridian/contract/fields';
import {
  PLAN_LIMIT_FORM_DEFAULTS,
  PLAN_LIMIT_LABELS,
  PLAN_LIMIT_RANGES,
  type PlanLimitName,
  type PlanLimits,
} from '@meridian/contract/plan-limits';
import {
  decimalPlacesOf,
  decimalsOf,
  type Plan,
  PLAN_DEFAULT_CURRENCY,
  PLAN_MESSAGES,
  type planCreateBody,
  type PlanTier,
  type planUpdateBody,
  type PlanUpdateBody,
  priceProblem,
} from '@meridian/contract/plans';
import type { Issue } from '@meridian/contract/validation';
import { numberOf, parseNumber, writtenDecimals } from '@meridian/ui/NumberField.tsx';
import type { BodyDraft } from '@meridian/ui/form/issues.ts';
import { limitLabel } from '../../components/limits.tsx';

export type NumberLimit = keyof typeof PLAN_LIMIT_RANGES;
type TextLimit = NumberLimit | 'schedule_interval_minutes';
export type FlagLimit = Exclude<PlanLimitName, TextLimit>;
type LimitValues = Record<TextLimit, string> & Record<FlagLimit, boolean>;

export type PlanValues = ReturnType<typeof valuesOfPlan>;

/** The fields hold numbers as typed, features one per line and prices by currency. */
export function valuesOfPlan(plan: PlanContent, currencies: readonly Currency[]) {
  const pricesFrom = (prices: Plan['priceMonthly']) =>
    Object.fromEntries(
      Object.entries(prices ?? {}).map(([code, amount]) => {
        const currency = currencies.find((candidate) => candidate.code === code);
        const places = currency === undefined ? 0 : decimalsOf(currency);
        return [code, decimalPlacesOf(amount) < places ? amount.toFixed(places) : String(amount)];
      }),
    );
  return {
    tier: '' as PlanTier | '', // Empty until it is chosen.
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

type PlanContent = Omit<Plan, 'id' | 'tier' | 'isPaid' | 'version' | 'createdAt' | 'updatedAt'>;

function textsFrom(source: Readonly<Record<string, string | string[]>>): Record<Language, string> {
  const entries = LANGUAGES.map((name) => [name, [source[name] ?? ''].flat().join('\n')]);
  return Object.fromEntries(entries) as Record<Language, string>; // It forgets the names.
}

const TEXT_LIMITS = [...keysOf(PLAN_LIMIT_RANGES), 'schedule_interval_minutes'] as const;

function limitsFrom(limits: PlanLimits): LimitValues {
  const entries = keysOf(PLAN_LIMIT_LABELS).map((name) => {
    const value = limits[name];
    const text = typeof value === 'number' ? String(value) : '';
    return [name, TEXT_LIMITS.some((known) => known === name) ? text : value === true];
  });
  const values = Object.fromEntries(entries) as LimitValues; // It forgets the names.
  // Null means not available, which the field shows as 0.
  return { ...values, max_video_size_mb: values.max_video_size_mb || '0' };
}

export const NEW_PLAN_VALUES = valuesOfPlan(
  {
    name: '',
    displayName: {},
    description: {},
    features: {},
    priceMonthly: null,
    priceYearly: null,
    currency: PLAN_DEFAULT_CURRENCY,
    limits: { ...PLAN_LIMIT_FORM_DEFAULTS, video_processing_minutes_per_month: 0 },
    displayOrder: 0,
    isActive: true,
    isVisible: true,
  },
  [],
);

/** Starts with the first active currency where the usual one is not on offer. */
export function newPlanValues(active: readonly { code: string }[]): PlanValues {
  const hasDefault = active.some(({ code }) => code === PLAN_DEFAULT_CURRENCY);
  const currency = hasDefault ? undefined : active[0]?.code;
  return currency === undefined ? NEW_PLAN_VALUES : { ...NEW_PLAN_VALUES, currency };
}

export const PLAN_LABELS = {
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

/** 'limits.storage_mb' -> 'Storage', 'displayName.ja' -> 'Display name (Japanese)' */
export function planLabel(path: string): string {
  const labels: Readonly<Record<string, string>> = PLAN_LABELS;
  const languages: Readonly<Record<string, string>> = LANGUAGE_NAMES;
  const [head = '', detail] = path.split('.');
  const label = labels[head] ?? head;
  if (detail === undefined) return label;
  if (head === 'limits') return limitLabel(detail);
  return `${label} (${languages[detail] ?? detail.toUpperCase()})`;
}

type UpdateDraft = BodyDraft<typeof planUpdateBody>;
type CreateDraft = BodyDraft<typeof planCreateBody>;

/** The body of an update. `first` is what the fields started with. */
export function planUpdateInput(values: PlanValues, first: PlanValues): UpdateDraft {
  const yearly = filled(values.priceYearly, amountOf);
  return {
    name: values.name,
    displayName: filled(values.displayName, String),
    description: filled(values.description, String),
    priceMonthly: values.isPaid ? filled(values.priceMonthly, amountOf) : null,
    priceYearly: values.isPaid && Object.keys(yearly).length > 0 ? yearly : null,
    currency: values.currency,
    limits: limitsBody(values.limits, first.limits),
    features: filled(values.features, linesOf),
    displayOrder: numberOf(values.displayOrder),
    isActive: values.isActive,
    isVisible: values.isVisible,
  };
}

export const planCreateInput = (values: PlanValues, first: PlanValues): CreateDraft => ({
  tier: values.tier,
  ...planUpdateInput(values, first),
});

export const isBlank = (text = '') => text.trim() === '';

function filled<T>(texts: Readonly<Record<string, string>>, read: (text: string) => T) {
  const entries = Object.entries(texts).filter(([, text]) => !isBlank(text));
  return Object.fromEntries(entries.map(([key, text]) => [key, read(text)]));
}

const amountOf = (text: string) => numberOf(text, PRICE_STEP);
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function limitsBody(limits: LimitValues, first: LimitValues) {
  const numbers: Partial<Record<TextLimit, number>> = {};
  for (const name of TEXT_LIMITS) {
    // A limit the plan never had may stay away; one it had is not dropped by emptying its field.
    const mayBeBlank = name === 'concurrent_posts_limit' || first[name] === '';
    // Without threads the field is out of sight: what was typed there must not be in the way.
    const isHidden = name === 'thread_posts_limit' && !limits.thread_posts;
    const text = (isHidden ? first : limits)[name];
    if (!mayBeBlank || !isBlank(text)) numbers[name] = numberOf(text);
  }
  // The same holds for the fields of video.
  const video = limits.video_upload_enabled ? limits : first;
  const size = video.max_video_size_mb;
  const minutes = video.video_processing_minutes_per_month;
  return {
    ...numbers,
    markdown_support: limits.markdown_support,
    thread_posts: limits.thread_posts,
    video_upload_enabled: limits.video_upload_enabled,
    max_video_size_mb: isBlank(size) || parseNumber(size) === 0 ? null : numberOf(size),
    video_processing_minutes_per_month: isBlank(minutes) ? null : numberOf(minutes),
  };
}

/**
 * Saving replaces the whole plan, so limits and languages without a field of this form go back as they
 * came, and limits that the plan never had are not added while they are off or not available.
 */
export function withUnshown(body: PlanUpdateBody, plan: Plan): PlanUpdateBody {
  const limits = Object.entries(body.limits).filter(
    ([name, value]) => name in plan.limits || (value !== false && value !== null),
  );
  return {
    ...body,
    displayName: { ...without(LANGUAGES, plan.displayName), ...body.displayName },
    description: { ...without(LANGUAGES, plan.description), ...body.description },
    features: { ...without(LANGUAGES, plan.features), ...body.features },
    limits: {
      ...without(keysOf(PLAN_LIMIT_LABELS), plan.limits),
      ...Object.fromEntries(limits),
    },
  };
}

function without<T>(names: readonly string[], source: Readonly<Record<string, T>>) {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)));
}

/** Any currency's prices can be read with it; `priceProblem` judges their decimals. */
const PRICE_STEP = 0.0001;

export const parsePrice = (text: string) => parseNumber(text, PRICE_STEP);

export const PRICE_PERIODS = ['priceMonthly', 'priceYearly'] as const;

/**
 * Judges the prices before they are sent, in the server's words. Which currencies are active the
 * server alone knows for certain: it has the last word.
 */
export function priceIssues(
  { isPaid, ...values }: PlanValues,
  { isKnown, active }: { isKnown: boolean; active: readonly Currency[] },
): Issue[] {
  if (!isPaid) return [];
  const codes = isKnown ? active.map(({ code }) => code) : Object.keys(values.priceMonthly);
  const isPriced = codes.some((code) => !isBlank(values.priceMonthly[code]));
  const amounts = PRICE_PERIODS.flatMap((period) =>
    active.flatMap((currency) => {
      const { code } = currency;
      const text = values[period][code] ?? '';
      if (isBlank(text)) return [];
      const message =
        parsePrice(text) === null
          ? 'Write a price in digits, with a point before the decimals: 1000 or 4.90'
          : priceProblem(code, currency, writtenDecimals(text, PRICE_STEP));
      return message === null ? [] : [{ path: `${period}.${code}`, message }];
    }),
  );
  if (isPriced) return amounts;
  return [{ path: 'priceMonthly', message: PLAN_MESSAGES.priceRequired }, ...amounts];
}
