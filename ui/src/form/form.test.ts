import { expect, test } from 'vitest';
import { currencyCreateBody } from '@meridian/contract/currencies';
import { CURRENCY_BODY } from '@meridian/contract/samples';
import { changedPaths, mergeChanges, valueAt, withValueAt } from './field-path.ts';
import { judge, placeIssues } from './issues.ts';

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

const VALUES = { code: '', name: '', symbol: '', names: { en: '', ja: '' } };

test('a valid body is the one the contract made of it', () => {
  const validity = judge(currencyCreateBody, {
    ...CURRENCY_BODY,
    code: ' USD ',
    name: 'Dollar',
    symbol: '$',
  });
  expect(validity).toMatchObject({ isValid: true, body: { code: 'usd', displayOrder: 0 } });
});

test("the form's own rules come before the contract's", () => {
  const own = [{ path: 'name', message: 'Too plain' }];
  const validity = judge(
    currencyCreateBody,
    { ...CURRENCY_BODY, code: '', name: 'Dollar', symbol: '$' },
    own,
  );
  expect(validity.issues.map(({ message }) => message)).toEqual([
    'Too plain',
    'Code, name, and symbol are required',
    'Currency code must be exactly 3 characters (ISO 4217)',
  ]);
});

test('a sentence about several fields stands at the first; the others say what they are', () => {
  const { issues } = judge(currencyCreateBody, {
    ...CURRENCY_BODY,
    code: '',
    name: '',
    symbol: '',
  });
  const { atFields, elsewhere } = placeIssues(issues, VALUES, (path) => path.toUpperCase());
  expect([...atFields]).toEqual([
    ['code', 'Code, name, and symbol are required'],
    ['name', 'NAME is required'],
    ['symbol', 'SYMBOL is required'],
  ]);
  expect(elsewhere).toEqual([]);
});

test('the same sentence about two filled fields stands at both', () => {
  const values = { a: 'x', b: 'y' };
  const message = 'Too short';
  const { atFields } = placeIssues(
    [
      { path: 'a', message },
      { path: 'b', message },
    ],
    values,
  );
  expect([...atFields.values()]).toEqual([message, message]);
});

test('what has no field goes to the foot', () => {
  const issues = [
    { path: 'names.en', message: 'English is required' },
    { path: 'names.fr', message: 'No French' },
    { path: '', message: 'Nothing works' },
  ];
  const { atFields, elsewhere } = placeIssues(issues, VALUES);
  expect([...atFields.keys()]).toEqual(['names.en']);
  expect(elsewhere).toEqual(['No French', 'Nothing works']);
});

test('values are read and replaced by their path, and nothing else changes', () => {
  const next = withValueAt(VALUES, 'names.ja', '日本');
  expect(valueAt(next, 'names.ja')).toBe('日本');
  expect(next).toEqual({ ...VALUES, names: { en: '', ja: '日本' } });
  expect(VALUES.names.ja).toBe('');
  expect(valueAt(next, 'names.ja.deeper')).toBeUndefined();
});
