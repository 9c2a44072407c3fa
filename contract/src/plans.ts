import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  LANGUAGES,
  VISIBLE_CHARACTER,
  choice,
  count,
  flag,
  id,
  integer,
  line,
  paragraph,
  perLanguage,
  queryFlag,
  timestamp,
} from './fields.ts';
import { planLimits, planLimitsInput } from './plan-limits.ts';

/** 9.99 -> 2, 1e-7 -> 7 */
export function decimalPlacesOf(value: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const written = mantissa.split('.')[1]?.length ?? 0;
  return Math.max(0, written - Number(exponent));
}

type CurrencyDecimals = { useDecimals: boolean; decimalPlaces: number };

export const MONEY_MESSAGES = {
  unknownCurrency: (code: string) => `There is no currency ${code.toUpperCase()}`,
  decimals: (code: string, places: number) =>
    places === 0
      ? `A price in ${code.toUpperCase()} cannot have decimal places`
      : `A price in ${code.toUpperCase()} can have at most ${places} decimal ${places === 1 ? 'place' : 'places'}`,
} as const;

export function decimalsOf(currency: CurrencyDecimals): number {
  return currency.useDecimals ? currency.decimalPlaces : 0;
}

export function priceProblem(
  code: string,
  currency: CurrencyDecimals | undefined,
  places: number,
): string | null {
  if (currency === undefined) return MONEY_MESSAGES.unknownCurrency(code);
  const allowed = decimalsOf(currency);
  return places <= allowed ? null : MONEY_MESSAGES.decimals(code, allowed);
}

/** The step of a price input: 1 without decimals, 0.01 with two. */
export function priceStep(currency: CurrencyDecimals): number {
  return Number((10 ** -decimalsOf(currency)).toFixed(decimalsOf(currency)));
}

export const PLAN_TIERS = ['FREE', 'BASIC', 'PREMIUM', 'ENTERPRISE'] as const;
export type PlanTier = (typeof PLAN_TIERS)[number];

export const PLAN_DEFAULT_CURRENCY = 'usd';
export const PLAN_AMOUNT_MAX = 99_999_999;
const PLAN_NAME_MAX = 100;
const PLAN_TEXT_MAX = 1000;
const PLAN_FEATURES_MAX = 50;
const PLAN_FEATURE_MAX = 200;

export const PLAN_MESSAGES = {
  createFailed: 'Failed to create plan',
  updateFailed: 'Failed to update plan',
  loadFailed: 'Failed to load plan',
  listFailed: 'Failed to load plans',
  activeFailed: 'Failed to toggle plan status',
  visibilityFailed: 'Failed to toggle plan visibility',
  publishFailed: 'Failed to publish plans',
  created: (name: string) => `Plan created successfully: ${name}`,
  updated: (name: string) => `Plan updated successfully: ${name}`,
  published: (plans: number, files: number) =>
    `Successfully published ${plans} plans to object storage (${files} individual files)`,
  tierAndNameRequired: 'Tier and name are required',
  nameRequired: 'Name is required',
  englishRequired: 'English display name and description are required',
  priceRequired: 'A paid plan needs a monthly price in at least one active currency',
  freeHasNoPrices: 'A FREE plan has no prices',
  none: 'No plans found',
  noDescription: 'No description',
} as const;

const priceMap = z.nullable(z.record(z.string(), z.number()));

export const plan = z.object({
  id,
  tier: z.string(),
  name: z.string(),
  displayName: perLanguage(z.string()),
  description: perLanguage(z.string()),
  priceMonthly: priceMap,
  priceYearly: priceMap,
  currency: z.string(),
  limits: planLimits,
  features: perLanguage(z.array(z.string())),
  displayOrder: count,
  isActive: z.boolean(),
  isVisible: z.boolean(),
  isPaid: z.boolean(),
  version: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Plan = z.output<typeof plan>;

const amountSentence = 'A price must be a number from 0 with at most 4 decimal places';
const amount = z
  .number({ error: amountSentence })
  .check(
    z.gte(0, { error: amountSentence }),
    z.lte(PLAN_AMOUNT_MAX, { error: `A price must be at most ${PLAN_AMOUNT_MAX}` }),
    z.refine((value) => decimalPlacesOf(value) <= 4, { error: amountSentence }),
  )
  .register(z.globalRegistry, { multipleOf: 0.0001 });
const currencyCode = z
  .string({ error: 'Currency must be three lower-case letters' })
  .check(z.regex(/^[a-z]{3}$/u, { error: 'Currency must be three lower-case letters' }));
const prices = z.nullable(
  z
    .record(currencyCode, amount)
    .check(z.refine((map) => Object.keys(map).length <= 200, { error: 'Too many currencies' }))
    .register(z.globalRegistry, { maxProperties: 200 }),
);

function translated(label: string, max: number) {
  const text = paragraph(label, max, ({ path }) =>
    path?.at(-1) === 'en' ? PLAN_MESSAGES.englishRequired : `${label} must be text`,
  );
  return z
    .partialRecord(z.enum(LANGUAGES), text, { error: PLAN_MESSAGES.englishRequired })
    .check(
      z.refine((texts) => VISIBLE_CHARACTER.test(texts.en ?? ''), {
        error: PLAN_MESSAGES.englishRequired,
        path: ['en'],
      }),
    )
    .register(z.globalRegistry, {
      required: ['en'],
      properties: { en: { type: 'string', maxLength: max, pattern: VISIBLE_CHARACTER.source } },
    });
}

const translatedFeatures = z.partialRecord(
  z.enum(LANGUAGES),
  z
    .array(paragraph('A feature', PLAN_FEATURE_MAX))
    .check(z.maxLength(PLAN_FEATURES_MAX, { error: `At most ${PLAN_FEATURES_MAX} features` })),
);

function planFields(nameRequired: string) {
  return {
    name: line('Name', PLAN_NAME_MAX, nameRequired),
    displayName: translated('Display name', PLAN_NAME_MAX),
    description: translated('Description', PLAN_TEXT_MAX),
    priceMonthly: prices,
    priceYearly: prices,
    currency: currencyCode,
    limits: planLimitsInput,
    features: translatedFeatures,
    displayOrder: integer('Display order', 0),
    isActive: flag('isActive'),
    isVisible: flag('isVisible'),
  };
}

const newPlan = planFields(PLAN_MESSAGES.tierAndNameRequired);

export const planCreateBody = z.strictObject({
  tier: z.enum(PLAN_TIERS, {
    error: ({ input }) =>
      input === null ||
      input === undefined ||
      (typeof input === 'string' && !VISIBLE_CHARACTER.test(input))
        ? PLAN_MESSAGES.tierAndNameRequired
        : `Tier must be one of ${PLAN_TIERS.join(', ')}`,
  }),
  ...newPlan,
  currency: z._default(newPlan.currency, PLAN_DEFAULT_CURRENCY),
  features: z._default(newPlan.features, {}),
  displayOrder: z._default(newPlan.displayOrder, 0),
  isActive: z._default(newPlan.isActive, true),
  isVisible: z._default(newPlan.isVisible, true),
});
/** The whole plan, since a field left out would be reset without a word. */
export const planUpdateBody = z.strictObject(planFields(PLAN_MESSAGES.nameRequired));
export type PlanCreateBody = z.output<typeof planCreateBody>;
export type PlanUpdateBody = z.output<typeof planUpdateBody>;

/** The public reads these fields: no internal name, no bookkeeping. */
export const publishedPlan = z.object({
  id,
  tier: choice('tier', PLAN_TIERS),
  displayName: perLanguage(z.string()),
  description: perLanguage(z.string()),
  priceMonthly: priceMap,
  priceYearly: priceMap,
  currency: z.string(),
  limits: planLimits,
  features: perLanguage(z.array(z.string())),
  displayOrder: z.int(),
  isPaid: z.boolean(),
});

const planEnvelope = z.object({ plan });

export const planList = endpoint({
  name: 'planList',
  method: 'GET',
  path: '/api/admin/plans',
  right: 'plans:read',
  summary: 'Plans in display order',
  query: z.strictObject({
    includeInactive: z._default(queryFlag('includeInactive'), false),
    includeInvisible: z._default(queryFlag('includeInvisible'), false),
  }),
  answer: z.object({ plans: z.array(plan) }),
});

export const planGet = endpoint({
  name: 'planGet',
  method: 'GET',
  path: '/api/admin/plans/{id}',
  right: 'plans:read',
  summary: 'One plan',
  answer: planEnvelope,
});

export const planCreate = endpoint({
  name: 'planCreate',
  method: 'POST',
  path: '/api/admin/plans',
  right: 'plans:write',
  summary: 'Create a plan',
  takesKey: true,
  status: 201,
  body: planCreateBody,
  answer: planEnvelope,
});

export const planUpdate = endpoint({
  name: 'planUpdate',
  method: 'PUT',
  path: '/api/admin/plans/{id}',
  right: 'plans:write',
  summary: 'Replace everything about a plan but its tier',
  body: planUpdateBody,
  answer: planEnvelope,
});

export const planSetVisibility = endpoint({
  name: 'planSetVisibility',
  method: 'PATCH',
  path: '/api/admin/plans/{id}/visibility',
  right: 'plans:write',
  summary: 'Show or hide a plan',
  body: z.strictObject({ isVisible: flag('isVisible') }),
  answer: planEnvelope,
});

export const planSetActive = endpoint({
  name: 'planSetActive',
  method: 'PATCH',
  path: '/api/admin/plans/{id}/active',
  right: 'plans:write',
  summary: 'Activate or deactivate a plan',
  body: z.strictObject({ isActive: flag('isActive') }),
  answer: planEnvelope,
});

export const planPublish = endpoint({
  name: 'planPublish',
  method: 'POST',
  path: '/api/admin/plans/publish',
  right: 'plans:write',
  summary: 'Write all active and visible plans to object storage',
  answer: z.object({ publishedCount: count, individualUrls: z.array(z.string()) }),
});
