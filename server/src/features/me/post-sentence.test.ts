import { CAUSES } from '@meridian/contract/causes';
import { expect, test } from 'vitest';
import { sentenceFor } from './post-sentence.ts';

const of = (status: 'PENDING' | 'FAILED', cause: string | null) =>
  sentenceFor({ status, hold: null, cause });

test('a post that is retried says so, and one that failed for the same cause does not', () => {
  expect(of('PENDING', 'host_slow')).toBe('Your server is slow. We keep trying');
  expect(of('FAILED', 'host_slow')).toBe('Your server is slow');
});

test('no failed post promises another attempt, and each says something', () => {
  const said = Object.keys(CAUSES).map((cause) => of('FAILED', cause));
  expect(said.filter((sentence) => sentence === null || /keep trying/.test(sentence))).toEqual([]);
  expect(of('FAILED', null)).toBe('Your post could not be published');
});
