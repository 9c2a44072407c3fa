import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  currencyCreateBody,
  currencyUpdateBody,
  issuesOf,
  passwordBody,
  planCreateBody,
  planUpdateBody,
  postListQuery,
  settingsPatchBody,
  ticketIssueBody,
  userUpdate,
} from './index.ts';
import { PLAN_BODY } from './samples.ts';

/** The sentence a reader is shown first, or null when the input is fine. */
function firstSentence(schema: z.ZodMiniType, input: unknown): string | null {
  const result = z.safeParse(schema, input);
  return result.success ? null : (issuesOf(result.error, input)[0]?.message ?? 'no sentence');
}

const currency = { code: 'chf', name: 'Swiss franc', symbol: 'Fr.' };
const plan = { ...PLAN_BODY, priceMonthly: { usd: 4.9 } };
const { tier: _tier, ...planChange } = plan;
const ticket = { planId: 'some-plan', validDays: 30 };

type Sentence = [about: string, schema: z.ZodMiniType, input: unknown, sentence: string];

describe('the sentences of the specification', () => {
  test.each<Sentence>([
    [
      'currency without a code',
      currencyCreateBody,
      { ...currency, code: '' },
      'Code, name, and symbol are required',
    ],
    [
      'currency without a name',
      currencyCreateBody,
      { ...currency, name: '  ' },
      'Code, name, and symbol are required',
    ],
    [
      'currency with a name of which nothing is seen',
      currencyCreateBody,
      { ...currency, name: '\u200B\u2060 \u00AD\u3164\uFE0F' },
      'Code, name, and symbol are required',
    ],
    [
      'currency without a symbol',
      currencyCreateBody,
      { ...currency, symbol: undefined },
      'Code, name, and symbol are required',
    ],
    [
      'short code and no name: the empty field comes first',
      currencyCreateBody,
      { code: 'ch', symbol: 'F' },
      'Code, name, and symbol are required',
    ],
    [
      'currency code of two',
      currencyCreateBody,
      { ...currency, code: 'ch' },
      'Currency code must be exactly 3 characters (ISO 4217)',
    ],
    [
      'currency code of four',
      currencyCreateBody,
      { ...currency, code: 'chfx' },
      'Currency code must be exactly 3 characters (ISO 4217)',
    ],
    [
      'currency change to an empty name',
      currencyUpdateBody,
      { name: '' },
      'Name and symbol are required',
    ],
    [
      'currency change to an empty symbol',
      currencyUpdateBody,
      { symbol: ' ' },
      'Name and symbol are required',
    ],
    [
      'plan without a tier',
      planCreateBody,
      { ...plan, tier: undefined },
      'Tier and name are required',
    ],
    [
      'plan with an unknown tier',
      planCreateBody,
      { ...plan, tier: 'GOLD' },
      'Tier must be one of FREE, BASIC, PREMIUM, ENTERPRISE',
    ],
    [
      'plan with a number for a Japanese name',
      planCreateBody,
      { ...plan, displayName: { en: 'Studio', ja: 7 } },
      'Display name must be text',
    ],
    ...[null, '', ' ', '\u200B'].flatMap((nothing): Sentence[] => [
      [
        `plan with the tier ${JSON.stringify(nothing)}`,
        planCreateBody,
        { ...plan, tier: nothing },
        'Tier and name are required',
      ],
      [
        `plan with the name ${JSON.stringify(nothing)}`,
        planCreateBody,
        { ...plan, name: nothing },
        'Tier and name are required',
      ],
      [
        `plan change to the name ${JSON.stringify(nothing)}`,
        planUpdateBody,
        { ...planChange, name: nothing },
        'Name is required',
      ],
    ]),
    ...['displayName', 'description'].flatMap((field) =>
      [undefined, null, {}, { en: undefined }, { en: null }, { en: '' }, { en: ' ' }].flatMap(
        (texts): Sentence[] => [
          [
            `plan with the ${field} ${JSON.stringify(texts)}`,
            planCreateBody,
            { ...plan, [field]: texts },
            'English display name and description are required',
          ],
          [
            `plan change to the ${field} ${JSON.stringify(texts)}`,
            planUpdateBody,
            { ...planChange, [field]: texts },
            'English display name and description are required',
          ],
        ],
      ),
    ),
    [
      'plan without an English name',
      planCreateBody,
      { ...plan, displayName: { ja: 'クリエイター' } },
      'English display name and description are required',
    ],
    [
      'plan with an English name that shows nothing',
      planCreateBody,
      { ...plan, displayName: { en: '\u200B\u2060' } },
      'English display name and description are required',
    ],
    [
      'ticket with too large an override',
      ticketIssueBody,
      { ...ticket, limitsOverride: { monthly_posts_limit: 10_001 } },
      'Monthly posts must be a whole number from -1 to 10000',
    ],
    [
      'short password',
      passwordBody,
      { currentPassword: 'x', newPassword: '1234567' },
      'New password must be at least 8 characters',
    ],
    [
      'four emoji are four characters',
      passwordBody,
      { currentPassword: 'x', newPassword: '🔑🔑🔑🔑' },
      'New password must be at least 8 characters',
    ],
  ])('%s', (_case, schema, input, sentence) => {
    expect(firstSentence(schema, input)).toBe(sentence);
  });
});

type Build = (value: unknown) => [schema: z.ZodMiniType, input: unknown];

const limits =
  (name: string): Build =>
  (value) => [planCreateBody, { ...plan, limits: { [name]: value } }];
/** -1 is no limit, and there is no other bound than that of the column. */
const open = (name: string): [string, Build, unknown[], unknown[]] => [
  name,
  limits(name),
  [-1, 2_147_483_647],
  [-2, 0.5, 2_147_483_648],
];
const price: Build = (value) => [planCreateBody, { ...plan, priceMonthly: { usd: value } }];
const ticketField =
  (name: string): Build =>
  (value) => [ticketIssueBody, { ...ticket, [name]: value }];
const override =
  (name: string): Build =>
  (value) => [ticketIssueBody, { ...ticket, limitsOverride: { [name]: value } }];
const currencyField =
  (name: string): Build =>
  (value) => [currencyCreateBody, { ...currency, [name]: value }];

describe('the bounds of the specification', () => {
  // Proves 3.13, 3.20, 5.3, 5.10, 5.11, 5.12, 5.13, 5.14, 5.15, 5.16, 5.20, 5.21
  test.each<[string, Build, unknown[], unknown[]]>([
    [
      'monthly posts',
      limits('monthly_posts_limit'),
      [-1, 0, 2_147_483_647],
      [-2, 1.5, '3', null, 2_147_483_648],
    ],
    ...['pending_posts_limit', 'concurrent_posts_limit', 'storage_mb'].map(open),
    ...['api_rate_limit_per_hour', 'data_retention_days'].map(open),
    ['schedule days', limits('max_schedule_days'), [1, 2_147_483_647], [0, -1, 2_147_483_648]],
    ['schedule interval', limits('schedule_interval_minutes'), [1, 5, 10, 15], [0, 2, 30, '5']],
    ['thread limit', limits('thread_posts_limit'), [1, 24], [0, 25]],
    ['images per post', limits('max_images_per_post'), [0, 4], [-1, 5]],
    ['image size', limits('max_image_size_mb'), [1, 2_147_483_647], [0, 2_147_483_648]],
    ['video size', limits('max_video_size_mb'), [0, 50, null], [-1, 2_147_483_648]],
    [
      'video minutes',
      limits('video_processing_minutes_per_month'),
      [0, 60, null],
      [-1, 2_147_483_648],
    ],
    ['post length', limits('max_post_length'), [1, 300, 1000], [0, 1001]],
    ['valid days', ticketField('validDays'), [1, 3650], [0, 3651, 1.5, '30', true]],
    ['redemptions', ticketField('maxRedemptions'), [1, 10_000, null], [0, 10_001, 1.5]],
    [
      'deadline',
      ticketField('redemptionDeadline'),
      ['2027-01-01T00:00:00Z', '2027-01-01T09:00:00+09:00', null],
      [
        'tomorrow',
        '',
        1e12,
        '2027-01-01',
        '2027-01-01T00:00:00',
        '2027-02-30T00:00:00Z',
        '1999-12-31T23:59:59Z',
        '2100-01-01T00:00:00Z',
        // Outside in UTC.
        '2000-01-01T00:00:00+14:00',
        '2099-12-31T23:59:59-12:00',
      ],
    ],
    [
      'override of monthly posts',
      override('monthly_posts_limit'),
      [-1, 10_000],
      [-2, 10_001, null],
    ],
    ['override of concurrent posts', override('concurrent_posts_limit'), [-1, 1000], [-2, 1001]],
    ['override of the interval', override('schedule_interval_minutes'), [1, 5, 10, 15], [2]],
    ['override of the post length', override('max_post_length'), [1, 300], [0, 301]],
    ['override of schedule days', override('max_schedule_days'), [-1, 365], [-2, 366]],
    ['override of the thread limit', override('thread_posts_limit'), [1, 25], [0, 26]],
    ['override of an eighth limit', override('storage_mb'), [], [1]],
    ['decimal places', currencyField('decimalPlaces'), [0, 4], [-1, 5]],
    ['display order', currencyField('displayOrder'), [0, 999], [-1, 0.5]],
    ['price', price, [0, 9.99, 0.0001], [-1, '9.99', 0.00001, 1e9]],
  ])('keep %s', (_case, build, good, bad) => {
    for (const value of good)
      expect([value, firstSentence(...build(value))]).toEqual([value, null]);
    for (const value of bad)
      expect([value, firstSentence(...build(value))]).not.toEqual([value, null]);
  });
});

test('what the calls do not send is refused by name', () => {
  expect(firstSentence(planUpdateBody, { ...planChange, tier: 'FREE' })).toBe(
    'Unknown field: tier',
  );
  expect(firstSentence(postListQuery, { page: '2' })).toBe('Unknown field: page');
});

test('a patch changes something, and a user one thing at a time', () => {
  expect(firstSentence(settingsPatchBody, {})).not.toBeNull();
  expect(firstSentence(settingsPatchBody, { is_closed_beta: true })).toBeNull();
  expect(firstSentence(userUpdate.body, {})).not.toBeNull();
  expect(firstSentence(userUpdate.body, { status: 'ACTIVE', is_active: true })).not.toBeNull();
  expect(firstSentence(userUpdate.body, { is_active: false })).toBeNull();
});

test('a query reads its numbers and words, and nothing that only looks like them', () => {
  expect(z.parse(postListQuery, { limit: '5', offset: '40', status: 'EXECUTING' })).toEqual({
    limit: 5,
    offset: 40,
    status: 'EXECUTING',
    sort: 'scheduled_at',
    order: 'desc',
  });
  for (const limit of ['0', '101', '-1', '1.5', '1e1', ' 5', '0x5', '']) {
    expect(firstSentence(postListQuery, { limit })).toBe(
      'limit must be a whole number from 1 to 100',
    );
  }
});
