import type { BulkAction } from '@meridian/contract/bulk';
import { expect, test } from 'vitest';
import { consequencesOf } from './bulk.service.ts';

type Case = [action: BulkAction, state: string, count: number, sentence: string];
const CASES: Case[] = [
  ['postDelete', 'COMPLETED', 1, '1 post of them is published and stays on the network.'],
  ['postDelete', 'COMPLETED', 2, '2 posts of them are published and stay on the network.'],
  [
    'postRetry',
    'FAILED',
    1,
    '1 post will be scheduled again, as a new post that is due now and names the old one.',
  ],
  [
    'postRetry',
    'FAILED',
    2,
    '2 posts will be scheduled again, each as a new post that is due now and names the old one.',
  ],
];

test.each(CASES)('%s of %s posts speaks of %i', (action, state, count, sentence) => {
  expect(consequencesOf(action, null, [{ state, count, weight: 0 }])).toContain(sentence);
});
