import { describe, expect, test } from 'vitest';
import { CAUSE_OWNERS } from './cause-words.ts';
import {
  CAUSE_RETRIES,
  CAUSES,
  HOLDS,
  isCause,
  isHold,
  operatorSentence,
  personSentence,
  SENTENCE_MAX,
} from './causes.ts';
import type { CauseFacts } from './causes.ts';

const causes = Object.keys(CAUSES).filter(isCause);
const ALL_FACTS: Required<CauseFacts> = {
  host: 'pds.example',
  reason: 'grapheme too big',
  time: new Date('2026-11-16T13:05:09.123Z'),
  key: 'uploads/cat.png',
  uri: 'at://did:plc:abc/app.bsky.feed.post/3k',
  count: 301,
  unit: 'characters',
  limit: 300,
  minutes: 61,
  plan: 'Basic',
  reference: 'req-1',
};

describe('the catalog of causes', () => {
  test('is closed and fits its columns', () => {
    expect(causes).toHaveLength(26);
    expect([...causes, ...Object.keys(HOLDS)].every((word) => word.length <= 40)).toBe(true);
    expect(['constructor', 'toString', ''].some((word) => isCause(word) || isHold(word))).toBe(
      false,
    );
  });

  test.each(causes)('%s has an owner, a retry rule, sentences and advice', (cause) => {
    const { owner, retry, advice } = CAUSES[cause];
    expect(CAUSE_OWNERS).toContain(owner);
    expect(CAUSE_RETRIES).toContain(retry);
    const sentences = [{}, ALL_FACTS].flatMap((facts) => [
      operatorSentence(cause, facts),
      personSentence(cause, facts) ?? 'Nothing to read',
    ]);
    for (const sentence of [...sentences, advice]) {
      expect(sentence).toMatch(/^\p{Lu}|^pds\.example/u);
      expect(sentence).not.toMatch(/[{}[\]|]| {2}|undefined|null|[.,: ]$| [.,:]/u);
      expect(sentence.length).toBeLessThanOrEqual(200);
    }
  });

  test.each(['network_unreachable', 'host_down', 'host_slow'] as const)(
    'the advice on %s is true of a post that has failed, too',
    (cause) => {
      expect(CAUSES[cause].advice).toContain('A post that has failed can be retried');
    },
  );

  test.each(Object.entries(HOLDS))('the hold %s has a sentence', (_, sentence) => {
    expect(sentence).toMatch(/^Wa(?:its|s) .*[a-z]$/u);
  });
});

describe('sentences', () => {
  test.each([
    ['host_slow', { host: 'pds.example' }, 'pds.example did not respond in time'],
    ['host_slow', {}, 'The host did not respond in time'],
    [
      'rate_limited_host',
      { host: 'pds.example', time: new Date('2026-11-16T13:05:09Z') },
      'pds.example limits requests from our address until 2026-11-16 13:05 UTC',
    ],
    ['rate_limited_host', { host: null }, 'The host limits requests from our address'],
    [
      'too_long',
      { count: 301, unit: 'characters', limit: 300 },
      'The text is too long: 301 characters, the network allows 300',
    ],
    ['too_long', { count: 301 }, 'The text is too long'],
    [
      'too_late',
      { minutes: 0, limit: 60 },
      'Not published in time: 0 min late, the limit is 60 min',
    ],
    ['internal', { reference: '  ' }, 'A fault of this service'],
  ] as const)('%s with %o', (cause, facts, sentence) => {
    expect(operatorSentence(cause, facts)).toBe(sentence);
  });

  test('the author reads another sentence, or none', () => {
    expect(personSentence('rate_limited_account')).toBe(
      'Your account posted too much. Your post goes out later',
    );
    expect(personSentence('rate_limited_account', { time: new Date(0) })).toBe(
      'Your account posted too much. Your post goes out at 1970-01-01 00:00 UTC',
    );
    expect(personSentence('token_expired')).toBeNull();
  });

  test.each([
    ['a template in a fact', '{time} [x] $& {host|y}', '{time} [x] $& {host|y}'],
    ['control and direction marks', 'a\u0000\u202eb\n\u2066c', 'a b c'],
    ['a lone surrogate', 'a\ud800', 'a\ufffd'],
    ['a long text', 'x'.repeat(100_000), `${'x'.repeat(299)}…`],
  ])('%s is plain text', (_, reason, shown) => {
    expect(operatorSentence('invalid_record', { host: 'h.example', reason })).toBe(
      `h.example does not accept the post: ${shown}`,
    );
  });

  test('a time that is none and a number that is none are missing facts', () => {
    expect(operatorSentence('host_down', { time: new Date(Number.NaN), reason: Number.NaN })).toBe(
      'The host responds with errors',
    );
  });

  test('the length is bounded', () => {
    const long = 'x'.repeat(10_000);
    expect(operatorSentence('host_down', { host: long, time: long, reason: long })).toHaveLength(
      SENTENCE_MAX,
    );
  });
});
