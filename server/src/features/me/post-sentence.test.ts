import { CAUSES, operatorSentence } from '@meridian/contract/causes';
import { expect, test } from 'vitest';
import { sentenceFor } from './post-sentence.ts';

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

test('no failed post promises another attempt, and each says something', () => {
  const said = Object.keys(CAUSES).map((cause) => of('FAILED', cause));
  expect(said.filter((sentence) => sentence === null || /keep trying/.test(sentence))).toEqual([]);
  expect(of('FAILED', null)).toBe('Your post could not be published');
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
