import { CAUSES, HOLDS, operatorSentence } from '@meridian/contract/causes';
import { POST_STATUSES } from '@meridian/contract/posts';
import { expect, test } from 'vitest';
import { sentenceFor } from './posts.store.ts';

const of = (status: 'PENDING' | 'FAILED', cause: string | null) =>
  sentenceFor({ status, hold: null, cause, error_msg: null });

const held = (hold: string, cause: string | null) =>
  sentenceFor({ status: 'PENDING', hold, cause, error_msg: null });

const failed = (cause: Parameters<typeof operatorSentence>[0], facts: object) =>
  sentenceFor({
    status: 'FAILED',
    hold: null,
    cause,
    error_msg: operatorSentence(cause, { host: 'https://pds.example:8443', ...facts }),
  });

test('a post that is retried says so, and one that failed for the same cause does not', () => {
  expect(of('PENDING', 'host_slow')).toBe('Your server is slow. We keep trying');
  expect(of('FAILED', 'host_slow')).toBe('Your server is slow');
});

const WAITING = /keep trying|goes? out|\bwaits?\b|delayed|until/i;
const OVER =
  /breaks|too (?:long|many|large)|could not be|lost|was published|is gone|before you post/;
const CONTRADICTS = {
  PENDING: OVER,
  // It is on its way: nothing is waited for.
  PROCESSING: new RegExp(`${OVER.source}|goes out|wait|delayed|until|again`),
  COMPLETED: WAITING,
  CANCELLED: WAITING,
  FAILED: WAITING,
};

test.each(POST_STATUSES)('no cause says what contradicts the status %s', (status) => {
  const said = Object.keys(CAUSES).flatMap((cause) =>
    [null, ...Object.keys(HOLDS)].map((hold) =>
      sentenceFor({ status, hold, cause, error_msg: null }),
    ),
  );
  const wrong = said.filter((sentence) => sentence !== null && CONTRADICTS[status].test(sentence));
  expect(wrong).toEqual([]);
});

test.each([...Object.keys(CAUSES), null])(
  'a post that failed with the cause %s says something',
  (cause) => {
    expect(of('FAILED', cause)).not.toBeNull();
  },
);

test('a failed post without a cause says so in general words', () => {
  expect(of('FAILED', null)).toBe('Your post could not be published');
  expect(of('FAILED', 'rate_limited_account')).toBe('Your account posted too much');
});

test('a post that waits for its author says what else there is to do', () => {
  expect(held('reconnect', 'scope_missing')).toBe('Connect your account again and allow posting');
  expect(held('reconnect', 'moved')).toBe('Your account moved to another server. Connect it again');
  // Of an earlier attempt.
  expect(held('reconnect', 'host_slow')).toBe(
    'Connect your account again. Your posts wait until then',
  );
  expect(held('user_off', 'moved')).toMatch(/^Waits until your account here is active again/);
});

test('a post that waits for a rate limit says whose it is', () => {
  expect(held('rate_limited', 'rate_limited_host')).toBe('Your post is delayed');
  expect(held('rate_limited', 'rate_limited_account')).toBe(
    'Your account posted too much. Your post goes out later',
  );
  expect(held('rate_limited', null)).toBe(
    'Your post is delayed by a rate limit. It goes out later',
  );
});

test('a post that the network does not accept says why', () => {
  expect(failed('invalid_record', { reason: 'Invalid facets: index 3' })).toBe(
    'This post breaks a rule of the network: Invalid facets: index 3',
  );
  expect(failed('too_long', { count: 312, unit: 'characters', limit: 300 })).toBe(
    'Your post is too long: 312 characters, the network allows 300',
  );
  expect(failed('too_long', {})).toBe('Your post is too long');
  expect(failed('internal', { reference: 'a: b' })).toBe('There is a fault on our side');
});
