import type { Currency, CurrencyCreateBody } from './currencies.ts';
import type { Plan, PlanCreateBody } from './plans.ts';

// Tests of every workspace spread these and name only what they are about.

const TIMES = { createdAt: '2026-03-02T08:14:00.000Z', updatedAt: '2026-03-02T08:14:00.000Z' };

export const PLAN_BODY = {
  tier: 'BASIC',
  name: 'basic',
  displayName: { en: 'Basic' },
  description: { en: 'For a start' },
  priceMonthly: null,
  priceYearly: null,
  currency: 'usd',
  limits: { storage_mb: 100 },
  features: {},
  displayOrder: 0,
  isActive: true,
  isVisible: true,
} satisfies PlanCreateBody;

export const PLAN: Plan = { id: 'plan-1', ...PLAN_BODY, isPaid: false, version: 1, ...TIMES };

export const CURRENCY_BODY = {
  code: 'usd',
  name: 'US Dollar',
  symbol: '$',
  useDecimals: true,
  decimalPlaces: 2,
  displayOrder: 0,
  isActive: true,
} satisfies CurrencyCreateBody;

export const CURRENCY: Currency = { id: 'currency-1', ...CURRENCY_BODY, version: 1, ...TIMES };
