import type { Plan } from '@meridian/contract/plans';

const IDS = Array.from({ length: 6 }, (_, digit) => `0198c0de-0000-7000-8000-00000000000${digit}`);
const AT = '2026-01-02T03:04:05.678Z';

/** A different set for every round: the display order is the round, and one plan is always missing. */
export function plansOfRound(round: number, filler = ''): Plan[] {
  return IDS.filter((_, index) => index !== round % IDS.length).map((id) => ({
    id,
    tier: 'BASIC',
    name: 'internal',
    displayName: { en: 'Basic' },
    description: { en: filler },
    priceMonthly: null,
    priceYearly: null,
    currency: 'usd',
    limits: {},
    features: {},
    displayOrder: round,
    isActive: true,
    isVisible: true,
    isPaid: false,
    version: 1,
    createdAt: AT,
    updatedAt: AT,
  }));
}
