import { expect, test } from 'vitest';
import { DatabaseUnavailable } from './db/errors.ts';
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
    'The connection pooler in front of the database refuses a connection with settings (unsupported startup parameter: statement_timeout); take them out of DATABASE_URL, or connect to the database itself.',
  );
});

test.each([
  [
    new DatabaseUnavailable(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    'ECONNREFUSED',
  ],
  [
    new DatabaseUnavailable(new Error('Connection terminated unexpectedly')),
    'Connection terminated unexpectedly',
  ],
])('a database that is gone is one sentence', (error, reason) => {
  expect(sentenceOf(error)).toBe(
    `The database does not respond any more (${reason}); start Meridian again when it does.`,
  );
});

test('a sentence for the operator stands alone, and anything else has its stack', () => {
  expect(sentenceOf(new StartError('PORT must be a number.'))).toBe('PORT must be a number.');
  expect(sentenceOf(new Error('A bug'))).toMatch(/^Meridian failed: Error: A bug\n +at /);
});
