import { PLAN_LIMIT_RANGES } from '@meridian/contract/plan-limits';
import type { planCreateBody, planUpdateBody } from '@meridian/contract/plans';
import type { BodyDraft } from '../../components/form/issues.ts';
import { parseNumber } from '../../ui/number-text.ts';
import { parsePrice } from './plan-price-issues.ts';
import type { NumberLimit, PlanValues } from './plan-values.ts';

/** No number at all: the contract's own sentence says what is wanted instead. */
const numberIn = (text: string) => parseNumber(text) ?? Number.NaN;
const isBlank = (text: string) => text.trim() === '';

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
