import { isDeepStrictEqual } from 'node:util';
import type { LanguageText } from '@meridian/contract/languages';
import type { PlanLimitsInput } from '@meridian/contract/plan-limits';
import type { Plan, PlanUpdateBody } from '@meridian/contract/plans';

/** What of a plan can be changed, as it is stored. */
export type PlanContent = PlanUpdateBody;
export type Prices = NonNullable<PlanContent['priceMonthly']>;

export function planContent(body: PlanUpdateBody): PlanContent {
  const { priceYearly } = body;
  const hasYearly = priceYearly !== null && Object.keys(priceYearly).length > 0;
  return {
    // An empty map of monthly prices stays: it says 'paid' without a price, which is refused.
    ...body,
    displayName: filledTexts(body.displayName),
    description: filledTexts(body.description),
    priceYearly: hasYearly ? priceYearly : null,
    limits: storedLimits(body.limits),
    features: filledLists(body.features),
  };
}

/** Whether writing the content would change nothing about the plan. */
export function isUnchanged(plan: Plan, content: PlanContent): boolean {
  const present: Record<string, unknown> = plan;
  return Object.entries(content).every(([name, value]) => isDeepStrictEqual(present[name], value));
}

function filledTexts(texts: LanguageText): LanguageText {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function filledLists(lists: Partial<Record<string, string[]>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(lists)
      .map(([language, lines = []]) => [language, lines.filter((line) => line !== '')] as const)
      .filter(([, lines]) => lines.length > 0),
  );
}

/** 0 megabytes of video means that there is none. */
function storedLimits(limits: PlanLimitsInput): PlanLimitsInput {
  return limits.max_video_size_mb === 0 ? { ...limits, max_video_size_mb: null } : limits;
}
