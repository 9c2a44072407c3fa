import { expect, test } from 'vitest';
import { ApiError } from './errors.ts';
import { retryDelayMs, shouldRetry } from './query.ts';

const failed = (status: number, retryAfterMs?: number) =>
  new ApiError({ status, message: '', retryAfterMs });

test.each([
  [0, 0, true],
  [0, 500, true],
  [0, 503, true],
  [1, 503, false],
  [0, 400, false],
  [0, 401, false],
  [0, 404, false],
  [0, 429, false],
])('after %i failures, %i is tried again: %s', (failures, status, expected) => {
  expect(shouldRetry(failures, failed(status))).toBe(expected);
});

test('an error of ours is not tried again', () => {
  expect(shouldRetry(0, new TypeError('x is not a function'))).toBe(false);
});

test.each([
  [undefined, 700],
  [2000, 2000],
  [60_000, 5000],
])('asked to wait %s ms, it waits %i', (asked, expected) => {
  expect(retryDelayMs(failed(503, asked))).toBe(expected);
});
