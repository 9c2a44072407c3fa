import { describe, expect, test } from 'vitest';
import { assignmentList } from '@meridian/contract/assignments';
import { authMe } from '@meridian/contract/auth';
import { currencyGet, currencyUpdate } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import { isLawName } from '@meridian/contract/law';
import { statsGet } from '@meridian/contract/overview';
import { planGet, planPublish } from '@meridian/contract/plans';
import { postGet, postList, userPosts } from '@meridian/contract/posts';
import { CURRENCY, PLAN } from '@meridian/contract/samples';
import { settingsGet } from '@meridian/contract/settings';
import { ticketGet, ticketIssue } from '@meridian/contract/tickets';
import { userGet, userList, userUpdate } from '@meridian/contract/users';
import { UnexpectedResponseError } from '@meridian/ui/api/errors.ts';
import { leftOutIn } from './components/LeftOutNote.tsx';
import { type Asked, readForeign } from './foreign.ts';

const AT = '2026-03-02T08:14:00.000Z';
const PERSON = {
  id: 'u1',
  did: 'did:plc:a',
  handle: 'a.example',
  display_name: null,
  avatar: null,
};
const FLAGS = { is_active: true, has_access_keyword_access: false, upgrade_prohibited: false };
const USER = { ...PERSON, ...FLAGS, status: 'ACTIVE', created_at: AT, updated_at: AT };
const POST = {
  id: 'p1',
  user_id: 'u1',
  content: 'Good morning',
  status: 'PENDING',
  scheduled_at: AT,
  created_at: AT,
  updated_at: AT,
  executed_at: null,
  at_uri: null,
  at_rkey: null,
  error_msg: null,
  languages: ['en'],
  user: PERSON,
};
const WHOLE_POST = { ...POST, facets: null, embed: null };
const NO_DELIVERY = {
  hold: null,
  cause: null,
  reply_to: null,
  thread: null,
  retry_of: null,
  retried_as: null,
};
const { version: _v, createdAt: _c, updatedAt: _u, isPaid: _p, ...LAW_PLAN } = PLAN;
const { version: _w, createdAt: _d, updatedAt: _t, ...LAW_CURRENCY } = CURRENCY;
const NAME = { name: 'studio', displayName: { en: 'Studio' }, tier: 'PREMIUM' };
const TICKET = {
  id: 't1',
  code: 'CODE',
  status: 'UNUSED',
  planId: 'plan-1',
  plan: { ...NAME, limits: {} },
  issuer: { displayName: null, handle: 'admin' },
  validDays: 30,
  maxRedemptions: 5,
  redemptionCount: 1,
  issuedAt: AT,
  updatedAt: AT,
};
const ASSIGNMENT = {
  id: 'a1',
  status: 'ACTIVE',
  activatedAt: AT,
  expiresAt: null,
  createdAt: AT,
  user: { id: 'u1', displayName: null, handle: 'a.example', did: 'did:plc:a' },
  plan: { ...NAME, limits: {} },
};

const read = <E extends Endpoint>(endpoint: E, raw: unknown, asked: Asked = {}) =>
  readForeign(endpoint, raw, asked);
const leftOutOf = (endpoint: Endpoint, params = {}) => leftOutIn([[endpoint.name, params]]);

describe('a whole response becomes that of the contract, and nothing is named as left out', () => {
  const undated = { createdAt: '', updatedAt: '', version: 0 };
  test.each<[string, Endpoint, unknown, unknown]>([
    [
      'me',
      authMe,
      { username: 'a', displayName: 'A' },
      { username: 'a', displayName: 'A', meridian: '', eventId: '' },
    ],
    ['a user', userGet, { user: USER }, { user: { ...USER, version: 0 } }],
    [
      'a post',
      postGet,
      { post: WHOLE_POST },
      { post: { ...WHOLE_POST, ...NO_DELIVERY, version: 0 } },
    ],
    ['a plan', planGet, { plan: LAW_PLAN }, { plan: { ...LAW_PLAN, ...undated, isPaid: false } }],
    [
      'a currency',
      currencyGet,
      { currency: LAW_CURRENCY },
      { currency: { ...LAW_CURRENCY, ...undated } },
    ],
    [
      'settings',
      settingsGet,
      { is_closed_beta: true, is_service_suspended: false, updated_at: AT },
      { is_closed_beta: true, is_service_suspended: false, updated_at: AT, version: 0 },
    ],
    [
      'a ticket',
      ticketGet,
      { ticket: TICKET, assignments: [ASSIGNMENT] },
      {
        ticket: {
          ...TICKET,
          plan: { ...TICKET.plan, id: 'plan-1' },
          redemptionDeadline: null,
          memo: null,
          limitsOverride: null,
        },
        assignments: [
          {
            ...ASSIGNMENT,
            ticket: null,
            limitsOverride: null,
            plan: { ...ASSIGNMENT.plan, id: '' },
          },
        ],
      },
    ],
  ])('%s', (_what, endpoint, raw, expected) => {
    expect(read(endpoint, raw)).toEqual(expected);
    expect(endpoint.answer.safeParse(read(endpoint, raw)).success).toBe(true);
    expect(leftOutOf(endpoint)).toEqual([]);
  });
});

describe('other spellings', () => {
  test.each<[string, Endpoint, unknown, unknown]>([
    ['a resource without its envelope', userGet, USER, { user: { id: 'u1' } }],
    [
      'a bare ticket with its assignments',
      ticketGet,
      { ...TICKET, assignments: [ASSIGNMENT] },
      { assignments: [{ id: 'a1' }] },
    ],
    [
      'settings in an envelope',
      settingsGet,
      { settings: { is_closed_beta: 1, is_service_suspended: 'false' } },
      { is_closed_beta: true, is_service_suspended: false },
    ],
    [
      'ids and totals of the other kind',
      userList,
      { users: [{ ...USER, id: 7 }], total: '57' },
      { users: [{ id: '7' }], total: 57 },
    ],
    [
      'a word that nobody knows',
      userGet,
      { ...USER, status: 'ON_HOLD' },
      { user: { status: 'ON_HOLD' } },
    ],
    [
      'EXECUTING',
      postGet,
      { ...WHOLE_POST, status: 'EXECUTING' },
      { post: { status: 'PROCESSING' } },
    ],
    [
      'one text in place of one per language',
      planGet,
      { ...LAW_PLAN, displayName: 'Studio' },
      { plan: { displayName: { en: 'Studio' } } },
    ],
    [
      'a price as text',
      planGet,
      { ...LAW_PLAN, priceMonthly: { usd: '9.99' } },
      { plan: { priceMonthly: { usd: 9.99 }, isPaid: true } },
    ],
  ])('%s', (_what, endpoint, raw, expected) => {
    expect(read(endpoint, raw)).toMatchObject(expected as object);
  });

  // Proves 3.15
  test('limits are read under both names', () => {
    const limits = {
      video_upload: true,
      video_processing_minutes_monthly: '30',
      storage_mb: null,
    };
    expect(read(planGet, { ...LAW_PLAN, limits }).plan.limits).toEqual({
      video_upload_enabled: true,
      video_processing_minutes_per_month: 30,
      storage_mb: null,
    });
  });

  test('EXECUTING and PROCESSING are counted as one', () => {
    const counts = {
      total: 3,
      byStatus: [
        { status: 'EXECUTING', count: 1 },
        { status: 'PROCESSING', count: 2 },
      ],
    };
    const users = { total: 0, activeUsers: 0, byStatus: [] };
    expect(read(statsGet, { users, posts: counts }).posts.byStatus).toEqual([
      { status: 'PROCESSING', count: 3 },
    ]);
  });
});

describe('fields that are left out are filled in and named', () => {
  test.each<[string, Endpoint, unknown, unknown, string[]]>([
    [
      'texts, times and flags of a user',
      userGet,
      { id: 'u1', status: 'ACTIVE', is_active: false },
      {
        user: {
          did: '',
          handle: '',
          display_name: null,
          avatar: null,
          upgrade_prohibited: false,
          created_at: '',
        },
      },
      [
        'user.avatar',
        'user.created_at',
        'user.did',
        'user.display_name',
        'user.handle',
        'user.has_access_keyword_access',
        'user.updated_at',
        'user.upgrade_prohibited',
      ],
    ],
    [
      'the defaults of a currency',
      currencyGet,
      { currency: { id: 'c1', code: 'chf', name: 'Franc', symbol: 'Fr' } },
      { currency: { useDecimals: true, decimalPlaces: 2, displayOrder: 999, isActive: true } },
      [
        'currency.decimalPlaces',
        'currency.displayOrder',
        'currency.isActive',
        'currency.useDecimals',
      ],
    ],
    [
      'prices and limits of a plan',
      planGet,
      { plan: { ...LAW_PLAN, priceMonthly: undefined, priceYearly: undefined, limits: undefined } },
      { plan: { priceMonthly: null, priceYearly: null, limits: {}, isPaid: false } },
      ['plan.limits', 'plan.priceMonthly', 'plan.priceYearly'],
    ],
    [
      'plan and counts of a ticket, and its assignments',
      ticketGet,
      { ticket: { ...TICKET, plan: undefined, validDays: undefined, maxRedemptions: undefined } },
      {
        ticket: { plan: { id: 'plan-1', name: '' }, validDays: 30, maxRedemptions: null },
        assignments: [],
      },
      ['assignments', 'ticket.maxRedemptions', 'ticket.plan', 'ticket.validDays'],
    ],
  ])('%s', (_what, endpoint, raw, expected, names) => {
    expect(read(endpoint, raw)).toMatchObject(expected as object);
    expect(endpoint.answer.safeParse(read(endpoint, raw)).success).toBe(true);
    expect(leftOutOf(endpoint)).toEqual(names);
  });

  test('the user of an assignment is the one that was asked for', () => {
    const { user: _, ...assignment } = ASSIGNMENT;
    const { assignments } = read(
      assignmentList,
      { assignments: [assignment] },
      { params: { id: 'u7' } },
    );
    expect(assignments[0]?.user.id).toBe('u7');
  });

  test('the names are those of the latest response to the same call', () => {
    const { avatar: _, ...user } = USER;
    read(userGet, { user }, { params: { id: 'u1' } });
    expect(leftOutOf(userGet, { id: 'u1' })).toEqual(['user.avatar']);
    expect(leftOutOf(userGet, { id: 'u2' })).toEqual([]);
    read(userGet, { user: USER }, { params: { id: 'u1' } });
    expect(leftOutOf(userGet, { id: 'u1' })).toEqual([]);
  });
});

test('pages are told apart by their offsets', () => {
  const posts = Array.from({ length: 20 }, (_, index) => ({ ...POST, id: `p${index}` }));
  const cursorsAt = (offset: number) =>
    read(postList, { posts, total: 45 }, { query: { limit: 20, offset } }).cursors;
  expect([0, 20, 40].map(cursorsAt)).toEqual([
    { previous: null, next: '' },
    { previous: '', next: '' },
    { previous: '', next: null },
  ]);
  const recent = read(userPosts, { posts }, { query: { limit: 10 } });
  expect([recent.posts.length, recent.total]).toEqual([10, 20]);
});

describe('a response that the specification does not know fails as a load', () => {
  test.each<[Endpoint, unknown]>([
    ...[
      undefined,
      null,
      [],
      {},
      'yes',
      { users: {} },
      { users: null, total: 3 },
      { users: [] },
    ].map((raw): [Endpoint, unknown] => [userList, raw]),
    [userList, { users: [{ handle: 'a.example', status: 'ACTIVE' }], total: 1 }],
    [userGet, { user: null }],
    [userGet, { user: { handle: 'a.example' } }],
    [userGet, { user: { ...USER, is_active: 'yes' } }],
    [userGet, { success: true }],
    [ticketGet, { assignments: [] }],
    [ticketIssue, {}],
    [planPublish, {}],
    [statsGet, { users: { total: 3 } }],
    [settingsGet, { is_closed_beta: true }],
    [authMe, {}],
  ])('$0.name: %j', (endpoint, raw) => {
    expect(() => read(endpoint, raw)).toThrow(UnexpectedResponseError);
  });
});

test('a change whose response nobody reads has succeeded with any', () => {
  for (const raw of [{}, null, { success: true }]) {
    expect(() => [read(userUpdate, raw), read(currencyUpdate, raw)]).not.toThrow();
  }
});

test('every read of the specification has its shape', () => {
  const reads = SPECIFIED_CALLS.filter(({ method }) => method === 'GET');
  expect(reads.filter(({ name }) => !isLawName(name))).toEqual([]);
});
