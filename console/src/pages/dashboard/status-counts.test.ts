import { expect, test } from 'vitest';
import { statusCounts } from './status-counts.ts';

test('EXECUTING and PROCESSING are one status, at the place of the first', () => {
  expect(
    statusCounts([
      { status: 'EXECUTING', count: 2 },
      { status: 'FAILED', count: 1 },
      { status: 'PROCESSING', count: 3 },
    ]),
  ).toEqual([
    { status: 'PROCESSING', count: 5 },
    { status: 'FAILED', count: 1 },
  ]);
});

test('a sum with an unknown part is unknown', () => {
  const known = { status: 'PROCESSING', count: 3 };
  const unknown = { status: 'EXECUTING', count: undefined };
  const sum = [{ status: 'PROCESSING', count: undefined }];
  expect(statusCounts([known, unknown])).toEqual(sum);
  expect(statusCounts([unknown, known])).toEqual(sum);
});
