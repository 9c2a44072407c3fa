import { expect, test } from 'vitest';
import { ENDPOINTS } from '@meridian/contract';
import { READS } from './live.ts';

const names = ENDPOINTS.filter(({ method }) => method === 'GET').map(({ name }) => name);

test.each(Object.entries(READS))('the topic %s makes a read old', (_, pattern) => {
  expect(names.filter((name) => pattern.test(name))).not.toEqual([]);
});

test('a change of many rows makes the list of jobs and the open job old', () => {
  expect(names.filter((name) => READS.jobs.test(name))).toEqual(
    expect.arrayContaining(['bulkList', 'bulkGet']),
  );
});
