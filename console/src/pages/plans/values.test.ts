import { expect, test } from 'vitest';
import type { Currency } from '@meridian/contract/currencies';
import { type Plan, planCreateBody, planUpdateBody } from '@meridian/contract/plans';
import { CURRENCY, PLAN, PLAN_BODY } from '@meridian/contract/samples';
import { judge, placeIssues } from '@meridian/ui/form/issues.ts';
import { usdPriceText } from './card.tsx';
import {
  NEW_PLAN_VALUES,
  newPlanValues,
  planCreateInput,
  planLabel,
  planUpdateInput,
  type PlanValues,
  priceIssues,
  valuesOfPlan,
  withUnshown,
} from './values.ts';

const usd: Currency = CURRENCY;

const CURRENCIES = { isKnown: true, active: [usd] };

const plan: Plan = {
  ...PLAN,
  id: 'p',
  tier: 'BASIC',
  name: 'creator',
  displayName: { en: 'Creator', it: 'Creatore' },
  description: { en: 'Every day' },
  priceMonthly: { usd: 4.9, xau: 0.001 },
  priceYearly: { usd: 49 },
  currency: 'usd',
  limits: { storage_mb: 1024, max_video_size_mb: null, team_seats: 3 },
  features: { en: ['One', 'Two'] },
  displayOrder: 10,
  isActive: true,
  isVisible: false,
  isPaid: true,
  version: 7,
  createdAt: '',
  updatedAt: '',
};

const FILLED: PlanValues = {
  ...NEW_PLAN_VALUES,
  tier: 'BASIC',
  name: ' creator ',
  displayName: { ...NEW_PLAN_VALUES.displayName, en: 'Creator', ja: '  ' },
  description: { ...NEW_PLAN_VALUES.description, en: 'Every day' },
};

function created(values: PlanValues) {
  const validity = judge(planCreateBody, planCreateInput(values, NEW_PLAN_VALUES), []);
  if (!validity.isValid) throw new Error(JSON.stringify(validity.issues));
  return validity.body;
}

function messagesOf(values: PlanValues) {
  const input = planCreateInput(values, NEW_PLAN_VALUES);
  const { issues } = judge(planCreateBody, input, priceIssues(values, CURRENCIES));
  return Object.fromEntries(placeIssues(issues, values, planLabel).atFields);
}

test('a new plan is sent with every default of the form', () => {
  expect(created(FILLED)).toEqual({
    ...PLAN_BODY,
    name: 'creator',
    displayName: { en: 'Creator' },
    description: { en: 'Every day' },
    limits: {
      monthly_posts_limit: 10,
      pending_posts_limit: 3,
      max_schedule_days: 7,
      schedule_interval_minutes: 10,
      markdown_support: false,
      max_images_per_post: 1,
      max_image_size_mb: 1,
      thread_posts: false,
      thread_posts_limit: 1,
      video_upload_enabled: false,
      max_video_size_mb: null,
      video_processing_minutes_per_month: 0,
      max_post_length: 300,
      storage_mb: 100,
      api_rate_limit_per_hour: 60,
      data_retention_days: 30,
    },
  });
});

// Proves 2.106
test('features are one per line, blank lines dropped', () => {
  const features = { ...FILLED.features, en: ' One \n\n  \nTwo\n', ja: '\n' };
  expect(created({ ...FILLED, features }).features).toEqual({ en: ['One', 'Two'] });
});

test('only filled prices are sent, and none of a free plan', () => {
  const prices = { priceMonthly: { usd: '9,99', jpy: '' }, priceYearly: { jpy: ' ' } };
  const paid = created({ ...FILLED, isPaid: true, ...prices });
  expect(paid.priceMonthly).toEqual({ usd: 9.99 });
  expect(paid.priceYearly).toBeNull();
  expect(created({ ...FILLED, ...prices }).priceMonthly).toBeNull();
});

test('an empty form asks for all that is missing, each sentence once', () => {
  expect(messagesOf(NEW_PLAN_VALUES)).toEqual({
    tier: 'Tier and name are required',
    name: 'Name is required',
    'displayName.en': 'English display name and description are required',
    'description.en': 'Description (English) is required',
  });
});

test.each([
  ['monthly_posts_limit', '-2', 'Monthly posts must be a whole number of at least -1'],
  ['storage_mb', '', 'Storage must be a whole number of at least -1'],
  ['max_schedule_days', '0', 'Max schedule days must be a whole number of at least 1'],
  ['max_images_per_post', '5', 'Max images per post must be a whole number from 0 to 4'],
  ['max_post_length', '1001', 'Max post length must be a whole number from 1 to 1000'],
  ['data_retention_days', 'x', 'Data retention days must be a whole number of at least -1'],
  ['monthly_posts_limit', '1,000', 'Monthly posts must be a whole number of at least -1'],
  ['monthly_posts_limit', '1.000', 'Monthly posts must be a whole number of at least -1'],
  ['monthly_posts_limit', '999999999999', 'Monthly posts must be at most 2147483647'],
  ['storage_mb', '99999999999999999999', 'Storage must be at most 2147483647'],
  ['max_post_length', '99999', 'Max post length must be a whole number from 1 to 1000'],
])('%s refuses %j', (name, text, message) => {
  const limits = { ...FILLED.limits, [name]: text };
  expect(messagesOf({ ...FILLED, limits })).toEqual({ [`limits.${name}`]: message });
});

test('the thread limit counts only while threads are on', () => {
  const limits = { ...FILLED.limits, thread_posts_limit: '25' };
  expect(messagesOf({ ...FILLED, limits })).toEqual({});
  expect(messagesOf({ ...FILLED, limits: { ...limits, thread_posts: true } })).toEqual({
    'limits.thread_posts_limit': 'Thread posts limit must be a whole number from 1 to 24',
  });
});

test('a paid plan needs a monthly price, and a price is a number', () => {
  expect(messagesOf({ ...FILLED, isPaid: true })).toEqual({
    priceMonthly: 'A paid plan needs a monthly price in at least one active currency',
  });
  expect(messagesOf({ ...FILLED, isPaid: true, priceMonthly: { usd: '-1' } })).toEqual({
    'priceMonthly.usd': 'A price must be a number from 0 with at most 4 decimal places',
  });
});

const jpy: Currency = { ...usd, code: 'jpy', useDecimals: false };
const xau: Currency = { ...usd, code: 'xau', decimalPlaces: 4 };
const UNREADABLE = 'Write a price in digits, with a point before the decimals: 1000 or 4.90';

test.each([
  ['usd', '4.90', undefined],
  ['usd', '4,90', undefined],
  ['usd', '1000', undefined],
  ['usd', '1,000', UNREADABLE],
  ['usd', '1,000.50', UNREADABLE],
  ['usd', '1e3', UNREADABLE],
  ['usd', '1.000', 'A price in USD can have at most 2 decimal places'],
  ['usd', '1.555', 'A price in USD can have at most 2 decimal places'],
  ['jpy', '1500', undefined],
  ['jpy', '1,500', UNREADABLE],
  ['jpy', '1.500', 'A price in JPY cannot have decimal places'],
  ['jpy', '1,5', 'A price in JPY cannot have decimal places'],
  ['xau', '0.0001', undefined],
])('a price in %s of %j: %s', (code, text, message) => {
  const values = { ...FILLED, isPaid: true, priceMonthly: { [code]: text } };
  const known = { isKnown: true, active: [usd, jpy, xau] };
  expect(priceIssues(values, known)[0]?.message).toBe(message);
});

test('a price in a currency that is not active does not make a plan paid', () => {
  const values = { ...FILLED, isPaid: true, priceMonthly: { gbp: '4.20' } };
  const missing = [
    {
      path: 'priceMonthly',
      message: 'A paid plan needs a monthly price in at least one active currency',
    },
  ];
  expect(priceIssues(values, CURRENCIES)).toEqual(missing);
  // As long as the active ones are not known, the server decides.
  expect(priceIssues(values, { isKnown: false, active: [] })).toEqual([]);
});

test('a feature that is too long is reported at the field it stands in', () => {
  const features = { ...FILLED.features, en: `One\n${'x'.repeat(201)}` };
  expect(messagesOf({ ...FILLED, features })).toEqual({
    'features.en': 'A feature must be at most 200 characters',
  });
});

test('a plan goes through the form and comes back as it was', () => {
  const values = valuesOfPlan(plan, [usd]);
  expect(values.priceMonthly).toEqual({ usd: '4.90', xau: '0.001' });
  expect(values.limits.max_video_size_mb).toBe('0');
  const validity = judge(
    planUpdateBody,
    planUpdateInput(values, values),
    priceIssues(values, CURRENCIES),
  );
  if (!validity.isValid) throw new Error(JSON.stringify(validity.issues));
  const body = withUnshown(validity.body, plan);
  expect(body).toMatchObject({
    displayName: plan.displayName,
    priceMonthly: plan.priceMonthly,
    priceYearly: plan.priceYearly,
    features: plan.features,
    isVisible: false,
  });
  // Limits the plan never had stay away, switches too.
  expect(body.limits).toEqual(plan.limits);
});

test('switching threads off leaves their stored limit as it was', () => {
  const threaded = {
    ...plan,
    limits: { ...plan.limits, thread_posts: true, thread_posts_limit: 12 },
  };
  const first = valuesOfPlan(threaded, [usd]);
  const limits = { ...first.limits, thread_posts: false, thread_posts_limit: 'nonsense' };
  expect(planUpdateInput({ ...first, limits }, first)).toMatchObject({
    limits: { thread_posts: false, thread_posts_limit: 12 },
  });
});

test('a limit the plan has is not dropped by emptying its field', () => {
  const first = valuesOfPlan(plan, [usd]);
  const values = { ...first, limits: { ...first.limits, storage_mb: '' } };
  expect(judge(planUpdateBody, planUpdateInput(values, first)).isValid).toBe(false);
});

test.each([
  ['name', 'Name'],
  ['displayName.ja', 'Display name (Japanese)'],
  ['priceMonthly.usd', 'Monthly price (USD)'],
  ['limits.storage_mb', 'Storage'],
])('the field %s is called %s', (path, label) => {
  expect(planLabel(path)).toBe(label);
});

test.each([
  [{ usd: 4.9 }, '$4.90'],
  [{ usd: 1234.5678 }, '$1,234.5678'],
  [{ usd: 0 }, '$0.00'],
  [{ jpy: 500 }, '–'],
  [null, '–'],
])('%j reads %j', (prices, expected) => {
  expect(usdPriceText(prices)).toBe(expected);
});

test.each([
  ['usd, where it is active', ['eur', 'usd'], 'usd'],
  ['the first, where usd is not among them', ['chf', 'eur'], 'chf'],
  ['usd, where there is none', [], 'usd'],
])('a new plan has the default currency %s', (_, codes, expected) => {
  expect(newPlanValues(codes.map((code) => ({ code }))).currency).toBe(expected);
});
