import { expect, test } from 'vitest';
import { ApiError } from './errors.ts';
import { errorOfWrite, keptKey, NotSentError, UnknownOutcomeError } from './outcome.ts';

test('one key as long as the same is sent, a new one after a change or an answer', () => {
  const kept = keptKey();
  const first = kept.keyFor({ memo: 'a' });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(kept.keyFor({ memo: 'a' })).toBe(first);
  const changed = kept.keyFor({ memo: 'b' });
  expect(changed).not.toBe(first);
  // What was sent before the change may have been done by now: it is not taken up again.
  expect(kept.keyFor({ memo: 'a' })).not.toBe(first);
  const latest = kept.keyFor({ memo: 'a' });
  kept.spend();
  expect(kept.keyFor({ memo: 'a' })).not.toBe(latest);
});

test('each form has its own', () => {
  expect(keptKey().keyFor({})).not.toBe(keptKey().keyFor({}));
});

test.each([
  ['no response', 0, true],
  ['a response cut off in its body', 200, true],
  ['a fault of the server', 500, true],
  ['a gateway without a server', 504, true],
  ['a refused body', 400, false],
  ['a refused state', 409, false],
  ['a rate limit', 429, false],
])('%s (%i) leaves the outcome of a write open: %s', (_, status, isUnknown) => {
  const error = new ApiError({ status, message: 'Why', requestId: 'r' });
  const found = errorOfWrite(error, true);
  expect(found instanceof UnknownOutcomeError).toBe(isUnknown);
  expect(found).toMatchObject({ status, message: 'Why', requestId: 'r' });
});

test('a write without a response never left a browser that was offline before', () => {
  const lost = new ApiError({ status: 0, message: '' });
  expect(errorOfWrite(lost, true, true)).toBeInstanceOf(NotSentError);
  const fault = new ApiError({ status: 502, message: '' });
  expect(errorOfWrite(fault, true, true)).toBeInstanceOf(UnknownOutcomeError);
});
