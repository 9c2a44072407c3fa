import { expect, test } from 'vitest';
import { changedPaths, mergeChanges } from './changes.ts';

type Values = { name: string; isOn: boolean; prices: Record<string, string> };
const FIRST: Values = { name: 'studio', isOn: true, prices: { usd: '4.90' } };

test('a field is changed when it reads otherwise', () => {
  expect(changedPaths(FIRST, FIRST)).toEqual([]);
  expect(changedPaths(FIRST, { ...FIRST, isOn: false })).toEqual(['isOn']);
  expect(changedPaths(FIRST, { ...FIRST, prices: { jpy: '500' } })).toEqual([
    'prices.usd',
    'prices.jpy',
  ]);
  // Typed and emptied again: as if it had never been there.
  expect(changedPaths(FIRST, { ...FIRST, prices: { usd: '4.90', jpy: '' } })).toEqual([]);
});

test('only what I changed is put on top of theirs', () => {
  const mine = { ...FIRST, name: 'mine', prices: { usd: '4.90', jpy: '500' } };
  const theirs = { name: 'theirs', isOn: false, prices: { usd: '5.00', eur: '4' } };
  expect(mergeChanges(FIRST, mine, theirs)).toEqual({
    name: 'mine',
    isOn: false,
    prices: { usd: '5.00', eur: '4', jpy: '500' },
  });
  expect(mergeChanges(FIRST, FIRST, theirs)).toEqual(theirs);
});

test('what I took away stays away', () => {
  const mine = { ...FIRST, prices: {} };
  expect(mergeChanges(FIRST, mine, { ...FIRST, name: 'theirs' })).toEqual({
    name: 'theirs',
    isOn: true,
    prices: { usd: '' },
  });
});
