import type { Currency } from '@meridian/contract/currencies';
import { type Language, LANGUAGE_NAMES, LANGUAGES } from '@meridian/contract/fields';
import {
  PLAN_LIMIT_FORM_DEFAULTS,
  PLAN_LIMIT_LABELS,
  PLAN_LIMIT_RANGES,
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
import { parseNumber, writtenDecimals } from '@meridian/ui/NumberField.tsx';
import type { BodyDraft } from '@meridian/ui/form/issues.ts';
import { limitLabel } from '../../components/limits.tsx';

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

/** No number at all: the contract's own sentence says what is wanted instead. */
const numberIn = (text: string) => parseNumber(text) ?? Number.NaN;
export const isBlank = (text: string | undefined) => (text ?? '').trim() === '';

function filled(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => !isBlank(text)));
}

function amounts(prices: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(filled(prices)).map(([code, text]) => [code, parsePrice(text) ?? Number.NaN]),
  );
}

function featureLists(features: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(filled(features)).map(([language, text]) => [
      language,
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ]),
  );
}

type Limits = PlanValues['limits'];
type UpdateDraft = BodyDraft<typeof planUpdateBody>;
type CreateDraft = BodyDraft<typeof planCreateBody>;

function limitsBody(limits: Limits, first: Limits): UpdateDraft['limits'] {
  const numbers: Partial<Record<NumberLimit | 'schedule_interval_minutes', number>> = {};
  const put = (name: NumberLimit | 'schedule_interval_minutes') => {
    // A limit the plan never had may stay away; one it had is not dropped by emptying its field.
    const mayBeBlank = name === 'concurrent_posts_limit' || first[name] === '';
    // Without threads the field is out of sight: what was typed there must not be in the way.
    const isHidden = name === 'thread_posts_limit' && !limits.thread_posts;
    const text = (isHidden ? first : limits)[name];
    if (!mayBeBlank || !isBlank(text)) numbers[name] = numberIn(text);
  };
  // The keys of the ranges are the names of the limits, which Object.keys forgets.
  for (const name of Object.keys(PLAN_LIMIT_RANGES) as NumberLimit[]) put(name);
  put('schedule_interval_minutes');
  // Without video the same holds for its fields.
  const video = limits.video_upload_enabled ? limits : first;
  const size = video.max_video_size_mb;
  const minutes = video.video_processing_minutes_per_month;
  return {
    ...numbers,
    markdown_support: limits.markdown_support,
    thread_posts: limits.thread_posts,
    video_upload_enabled: limits.video_upload_enabled,
    max_video_size_mb: isBlank(size) || parseNumber(size) === 0 ? null : numberIn(size),
    video_processing_minutes_per_month: isBlank(minutes) ? null : numberIn(minutes),
  };
}

/** The body these fields mean, as PUT takes it. `first` is what the fields started with. */
export function planUpdateInput(values: PlanValues, first: PlanValues): UpdateDraft {
  const yearly = amounts(values.priceYearly);
  return {
    name: values.name,
    displayName: filled(values.displayName),
    description: filled(values.description),
    priceMonthly: values.isPaid ? amounts(values.priceMonthly) : null,
    priceYearly: values.isPaid && Object.keys(yearly).length > 0 ? yearly : null,
    currency: values.currency,
    limits: limitsBody(values.limits, first.limits),
    features: featureLists(values.features),
    displayOrder: numberIn(values.displayOrder),
    isActive: values.isActive,
    isVisible: values.isVisible,
  };
}

export function planCreateInput(values: PlanValues, first: PlanValues): CreateDraft {
  return { tier: values.tier, ...planUpdateInput(values, first) };
}

function beyond<T>(source: Readonly<Record<string, T>>, known: readonly string[]) {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !known.includes(key)));
}

/** Off or not available, of a plan that never had this limit: the field was not touched. */
function withoutUntouched(limits: PlanUpdateBody['limits'], plan: Plan) {
  return Object.fromEntries(
    Object.entries(limits).filter(
      ([name, value]) => name in plan.limits || (value !== false && value !== null),
    ),
  );
}

/**
 * Saving replaces the whole plan, so limits and languages without a field of this form go back as they
 * came, and limits that the plan never had are not added.
 */
export function withUnshown(body: PlanUpdateBody, plan: Plan): PlanUpdateBody {
  return {
    ...body,
    displayName: { ...beyond(plan.displayName, LANGUAGES), ...body.displayName },
    description: { ...beyond(plan.description, LANGUAGES), ...body.description },
    features: { ...beyond(plan.features, LANGUAGES), ...body.features },
    limits: {
      ...beyond(plan.limits, Object.keys(PLAN_LIMIT_LABELS)),
      ...withoutUntouched(body.limits, plan),
    },
  };
}

interface Currencies {
  /** False when loading failed: a plan can be edited without them. */
  isKnown: boolean;
  active: readonly Currency[];
}
type Period = 'priceMonthly' | 'priceYearly';

/** The finest there is: how many decimals a currency takes is judged in words of its own. */
const STEP = 0.0001;
const UNREADABLE = 'Write a price in digits, with a point before the decimals: 1000 or 4.90';

export const parsePrice = (text: string) => parseNumber(text, STEP);

/**
 * What can be said of the prices before they are sent, in the server's words. Which currencies are
 * active it alone knows for certain: it has the last word.
 */
export function priceIssues(values: PlanValues, currencies: Currencies): Issue[] {
  if (!values.isPaid) return [];
  return [
    ...missingIssues(values.priceMonthly, currencies),
    ...amountIssues('priceMonthly', values.priceMonthly, currencies),
    ...amountIssues('priceYearly', values.priceYearly, currencies),
  ];
}

function missingIssues(
  prices: PlanValues['priceMonthly'],
  { isKnown, active }: Currencies,
): Issue[] {
  const codes = isKnown ? active.map(({ code }) => code) : Object.keys(prices);
  const isPriced = codes.some((code) => !isBlank(prices[code]));
  return isPriced ? [] : [{ path: 'priceMonthly', message: PLAN_MESSAGES.priceRequired }];
}

function amountIssues(period: Period, prices: PlanValues[Period], { active }: Currencies): Issue[] {
  return active.flatMap((currency) => {
    const text = prices[currency.code] ?? '';
    if (isBlank(text)) return [];
    const message =
      parsePrice(text) === null
        ? UNREADABLE
        : priceProblem(currency.code, currency, writtenDecimals(text, STEP));
    return message === null ? [] : [{ path: `${period}.${currency.code}`, message }];
  });
}
