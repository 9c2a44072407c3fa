import { expect, test } from 'vitest';
import { decimalsOf, parseNumber, stepNumber } from './number-text.ts';

test.each([
  ['', null],
  ['  ', null],
  ['-', null],
  ['12', 12],
  [' 12 ', 12],
  ['-1', -1],
  ['\u22121', -1],
  ['9.90', 9.9],
  ['9,90', 9.9],
  ['.5', 0.5],
  ['5.', 5],
  ['1,234,567', null],
  ['1e5', null],
  ['0x10', null],
  ['Infinity', null],
  ['12abc', null],
])('parseNumber(%j) is %j', (text, expected) => {
  expect(parseNumber(text)).toBe(expected);
});

test.each([
  [1, 0],
  [0.01, 2],
  [0.0001, 4],
  [1e-7, 7],
])('decimalsOf(%d) is %d', (step, expected) => {
  expect(decimalsOf(step)).toBe(expected);
});

test.each([
  ['3', 1, {}, '4'],
  ['3', -1, { min: 3 }, '3'],
  ['4', 1, { max: 4 }, '4'],
  ['0.1', 1, { step: 0.1 }, '0.2'],
  ['0.2', 1, { step: 0.1 }, '0.3'],
  ['9.99', 1, { step: 0.01 }, '10.00'],
  ['', 1, { min: 1 }, '1'],
  ['', 1, {}, '1'],
  ['99', -1, { max: 10 }, '10'],
] as const)('one step from %j by %d within %j is %j', (text, direction, rules, expected) => {
  expect(stepNumber(text, direction, rules)).toBe(expected);
});
