import { describe, expect, test } from 'vitest';
import {
  assignmentCan,
  decimalPlacesOf,
  ENDPOINTS,
  englishOr,
  POST_STATUSES,
  postCan,
  postStatusTargets,
  priceStep,
  postStatusOf,
  ticketCan,
  ticketStatusAt,
} from './index.ts';

describe('posts', () => {
  test.each([
    ['PENDING', ['PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'], true],
    ['PROCESSING', ['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'], true],
    ['CANCELLED', ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'], false],
    ['COMPLETED', [], false],
    ['FAILED', [], false],
    ['SOMETHING_NEW', [], false],
  ])('%s may become %j', (status, targets, cancellable) => {
    expect(postStatusTargets(status)).toEqual(targets);
    expect(postCan.changeStatus({ status })).toBe(targets.length > 0);
    expect(postCan.cancel({ status })).toBe(cancellable);
  });

  // Proves 2.84
  test('only a completed post with an address can be viewed on the network', () => {
    const at_uri = 'at://did:plc:abc/app.bsky.feed.post/3k';
    expect(postCan.viewOnNetwork({ status: 'COMPLETED', at_uri })).toBe(true);
    expect(postCan.viewOnNetwork({ status: 'COMPLETED', at_uri: null })).toBe(false);
    expect(postCan.viewOnNetwork({ status: 'FAILED', at_uri })).toBe(false);
  });

  test('EXECUTING means PROCESSING in a filter', () => {
    expect(postStatusOf('EXECUTING')).toBe('PROCESSING');
    for (const status of POST_STATUSES) expect(postStatusOf(status)).toBe(status);
    expect(postStatusOf('SOMETHING_NEW')).toBe('SOMETHING_NEW');
  });
});

describe('tickets', () => {
  const now = new Date('2026-11-15T12:00:00.000Z');
  // Proves 4.17
  test.each([
    ['UNUSED', null, 'UNUSED', true],
    ['UNUSED', '2026-11-15T12:00:00.001Z', 'UNUSED', true],
    ['UNUSED', '2026-11-15T11:59:59.999Z', 'EXPIRED', false],
    ['ACTIVE', '2026-11-14T00:00:00.000Z', 'EXPIRED', false],
    ['REVOKED', '2026-11-14T00:00:00.000Z', 'EXPIRED', false],
    ['REVOKED', undefined, 'REVOKED', false],
  ])('%s with the deadline %s counts as %s', (status, redemptionDeadline, shown, revocable) => {
    expect(ticketStatusAt({ status, redemptionDeadline }, now)).toBe(shown);
    expect(ticketCan.revoke({ status, redemptionDeadline }, now)).toBe(revocable);
  });
});

test('only an active assignment can be revoked', () => {
  expect(
    ['ACTIVE', 'EXPIRED', 'REVOKED', 'PAUSED'].map((status) => assignmentCan.revoke({ status })),
  ).toEqual([true, false, false, false]);
});

test.each([
  [0, 0],
  [1500, 0],
  [9.9, 1],
  [9.99, 2],
  [0.0001, 4],
  [1e-7, 7],
  [1e21, 0],
])('%d is written with %d decimals', (value, places) => {
  expect(decimalPlacesOf(value)).toBe(places);
});

// Proves 2.108
test.each([
  [{ useDecimals: true, decimalPlaces: 2 }, 0.01],
  [{ useDecimals: true, decimalPlaces: 4 }, 0.0001],
  [{ useDecimals: true, decimalPlaces: 0 }, 1],
  [{ useDecimals: false, decimalPlaces: 2 }, 1],
])('the price step of %j is %d', (currency, step) => {
  expect(priceStep(currency)).toBe(step);
});

test('English text falls back when it is missing or empty', () => {
  expect(englishOr({ en: 'Creator', ja: 'クリエイター' }, 'plan-1')).toBe('Creator');
  expect(englishOr({ en: '' }, 'plan-1')).toBe('plan-1');
  expect(englishOr(undefined, 'plan-1')).toBe('plan-1');
});

test('every call has its own name and its own method and path', () => {
  expect(new Set(ENDPOINTS.map(({ name }) => name)).size).toBe(ENDPOINTS.length);
  expect(new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path}`)).size).toBe(
    ENDPOINTS.length,
  );
  expect(
    ENDPOINTS.filter(({ credential }) => credential === 'none').map(({ name }) => name),
  ).toEqual(['authLogin']);
});
