import { isDeepStrictEqual } from 'node:util';
import type { LanguageText } from '@meridian/contract/languages';
import type { PlanLimitsInput } from '@meridian/contract/plan-limits';
import type { Plan, PlanUpdateBody } from '@meridian/contract/plans';

export type Prices = Record<string, number>;

/** What of a plan can be changed, as it is stored. */
export type PlanContent = {
  name: string;
  displayName: LanguageText;
  description: LanguageText;
  priceMonthly: Prices | null;
  priceYearly: Prices | null;
  currency: string;
  limits: PlanLimitsInput;
  features: Record<string, string[]>;
  displayOrder: number;
  isActive: boolean;
  isVisible: boolean;
};

export function planContent(body: PlanUpdateBody): PlanContent {
  const { priceYearly } = body;
  const hasYearly = priceYearly !== null && Object.keys(priceYearly).length > 0;
  return {
    name: body.name,
    displayName: filledTexts(body.displayName),
    description: filledTexts(body.description),
    // An empty map of monthly prices stays: it says 'paid' without a price, which is refused.
    priceMonthly: body.priceMonthly,
    priceYearly: hasYearly ? priceYearly : null,
    currency: body.currency,
    limits: storedLimits(body.limits),
    features: filledLists(body.features),
    displayOrder: body.displayOrder,
    isActive: body.isActive,
    isVisible: body.isVisible,
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
