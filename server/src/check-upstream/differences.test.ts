import { currencyGet } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { planGet } from '@meridian/contract/plans';
import { postList } from '@meridian/contract/posts';
import { CURRENCY, PLAN } from '@meridian/contract/samples';
import { userGet, userList } from '@meridian/contract/users';
import { describe, expect, test } from 'vitest';
import { compare } from './differences.ts';

const AT = '2026-03-02T08:14:00.000Z';
const USER = {
  id: 7,
  did: 'did:plc:a',
  handle: 'a.example',
  display_name: null,
  avatar: null,
  status: 'ACTIVE',
  is_active: true,
  has_access_keyword_access: false,
  upgrade_prohibited: false,
  created_at: AT,
  updated_at: AT,
};

const sentencesOf = (endpoint: Endpoint, raw: unknown) => {
  const { differences, notes } = compare(endpoint, raw);
  return {
    differences: differences.map(({ sentence }) => sentence),
    notes: notes.map(({ sentence }) => sentence),
  };
};
const NONE = { differences: [], notes: [] };

describe('a response fits', () => {
  const { version: _, createdAt: __, updatedAt: ___, isPaid: ____, ...plan } = PLAN;
  test.each([
    ['with its envelope', userGet, { user: USER }],
    ['without it', userGet, USER],
    ['without the extras of Meridian', planGet, { plan }],
    ['with extras of its own', userGet, { user: { ...USER, more: 1 } }],
    ['with a time in another zone', userGet, { ...USER, created_at: '2026-03-02T10:14+02:00' }],
    ['with one text in place of one per language', planGet, { ...plan, displayName: 'Basic' }],
    ['with a limit that is not available', planGet, { ...plan, limits: { storage_mb: null } }],
  ])('%s', (_case, endpoint, raw) => {
    expect(sentencesOf(endpoint, raw)).toEqual(NONE);
  });
});

test.each([
  ['null', null, 'is null'],
  ['a list', [], 'is a list'],
  ['a text', 'yes', 'is a text'],
  ['nothing', undefined, 'is missing'],
])('what is %s is no list of users', (_case, raw, what) => {
  const { differences } = sentencesOf(userList, raw);
  expect(differences).toEqual([
    `the response ${what}; the console shows an object with users, total there`,
  ]);
});

test('a field that is missing is missed by what the console would say without it', () => {
  const { priceMonthly: _, limits: __, ...plan } = PLAN;
  expect(sentencesOf(planGet, { plan })).toEqual({
    differences: [
      // Null would mean free.
      '`plan.priceMonthly` is missing; the console shows an amount per currency, such as {"usd":9.99}, or null there',
      '`plan.limits` is missing; the console shows an object there',
    ],
    notes: [],
  });
  const { avatar: ___, is_active: ____, ...user } = USER;
  expect(sentencesOf(userGet, { user })).toEqual({
    differences: ['`user.is_active` is missing; the console shows true or false there'],
    notes: ['`user.avatar` is missing; the console takes it for null'],
  });
  const { decimalPlaces: _____, ...currency } = CURRENCY;
  expect(sentencesOf(currencyGet, { currency }).notes).toEqual([
    '`currency.decimalPlaces` is missing; the console takes it for its default',
  ]);
});

test('the same in many rows is said once, and an unknown status only noted', () => {
  const users = [1, 2, 3].map((id) => Object.assign({}, USER, { id, status: 'ASLEEP', did: 5 }));
  expect(sentencesOf(userList, { users, total: 3 })).toEqual({
    differences: ['`users[0].did` is a number; the console shows a text there'],
    notes: [
      '`users[0].status` is none of ACTIVE, RESTRICTED, SUSPENDED, BLOCKED; the console shows the word as it is, in gray',
    ],
  });
});

test('names from the other server are made harmless, and there is an end to them', () => {
  const limits = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`\u001B[2J${n}`, 'x']));
  const { differences } = compare(planGet, { plan: { ...PLAN, limits } });
  expect(differences).toHaveLength(50);
  expect(differences[0]?.sentence).toBe(
    '`plan.limits.??2J0` is a text; the console shows a number, true or false or null there',
  );
});

test('a wrong row among good ones is found', () => {
  const posts = [null];
  const { differences } = sentencesOf(postList, { posts, total: 1 });
  expect(differences[0]).toMatch(
    /^`posts\[0\]` is null; the console shows an object with id, user_id,/,
  );
});
