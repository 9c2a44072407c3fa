import { expect, test } from 'vitest';
import { decimalsOf, parseNumber, stepNumber, writtenDecimals } from './NumberField.tsx';

test.each([
  ['', null],
  ['  ', null],
  ['-', null],
  ['12', 12],
  [' 12 ', 12],
  ['-1', -1],
  ['\u22121', -1],
  ['+1', null],
  ['1,000', null],
  ['1.000', null],
  ['1 000', null],
  ['4,9', null],
  ['5.', null],
  ['1e3', null],
  ['0x10', null],
  ['\uff11\uff12', null],
  ['Infinity', null],
  ['12abc', null],
])('the whole number in %j is %j', (text, expected) => {
  expect(parseNumber(text)).toBe(expected);
});

test.each([
  ['', null],
  ['4.90', 4.9],
  ['4,90', 4.9],
  ['4,9', 4.9],
  ['-4,9', -4.9],
  ['.5', 0.5],
  ['5.', 5],
  ['1000', 1000],
  ['1.000', 1],
  ['1,000', null],
  ['1,0000', null],
  ['1,', null],
  ['1,000.50', null],
  ['1.000,50', null],
  ['1,23,45', null],
  ['1e3', null],
  ['\uff14.9', null],
])('the decimal number in %j is %j', (text, expected) => {
  expect(parseNumber(text, 0.01)).toBe(expected);
});

test.each([
  ['1', 0],
  ['4.90', 2],
  ['4,9', 1],
  ['1.000', 3],
])('%j is written with %d decimals', (text, expected) => {
  expect(writtenDecimals(text, 0.01)).toBe(expected);
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
  ['1,000', 1, { min: 0 }, '1,000'],
  ['1,50', 1, { step: 0.01 }, '1.51'],
] as const)('one step from %j by %d within %j is %j', (text, direction, rules, expected) => {
  expect(stepNumber(text, direction, rules)).toBe(expected);
});
