import { expect, test } from 'vitest';
import { sentenceOf, StartError } from './start-error.ts';

test.each(['53100', 'ENOSPC'])('a disk that is full (%s) is no unforeseen error', (code) => {
  const error = Object.assign(new Error('No space left on device'), { code });
  expect(sentenceOf(error)).toBe(
    'The disk is full (No space left on device); make room, then start Meridian again.',
  );
});

test('a pooler that takes no settings is named, with what to do', () => {
  const error = new Error('unsupported startup parameter: statement_timeout');
  expect(sentenceOf(error)).toBe(
    'The connection pooler in front of the database refuses a connection with settings (unsupported startup parameter: statement_timeout); let it ignore them, as docs/operations.md says under "Behind PgBouncer", or connect to the database itself.',
  );
});

test('a sentence for the operator stands alone, and anything else has its stack', () => {
  expect(sentenceOf(new StartError('PORT must be a number.'))).toBe('PORT must be a number.');
  expect(sentenceOf(new Error('A bug'))).toMatch(/^Meridian failed: Error: A bug\n +at /);
});
