import { expect, test } from 'vitest';
import { sentenceOf, StartError } from './start-error.ts';

test.each(['53100', 'ENOSPC'])('a disk that is full (%s) is no unforeseen error', (code) => {
  const error = Object.assign(new Error('No space left on device'), { code });
  expect(sentenceOf(error)).toBe(
    'The disk is full (No space left on device); make room, then start Meridian again.',
  );
});

test('a sentence for the operator stands alone, and anything else has its stack', () => {
  expect(sentenceOf(new StartError('PORT must be a number.'))).toBe('PORT must be a number.');
  expect(sentenceOf(new Error('A bug'))).toMatch(/^Meridian failed: Error: A bug\n +at /);
});
