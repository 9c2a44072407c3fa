import { describe, expect, it } from 'vitest';
import { etagOf, expectedVersions } from './register.ts';

describe('expectedVersions', () => {
  it.each([
    [undefined, null],
    ['*', null],
    [' * ', null],
    ['"v7"', [7]],
    [' "v7" , "v12"', [7, 12]],
    ['"v7", "abc"', [7]],
    // A weak tag never matches here, nor does anything unreadable.
    ['W/"v7"', []],
    ['v7', []],
    ['"v7', []],
    ['"v-1"', []],
    ['"v99999999999999999"', []],
    ['', []],
  ])('reads %j', (header, versions) => {
    expect(expectedVersions(header)).toEqual(versions);
  });

  it.each([31, 1_793_000_000_123_456])('reads what it wrote for %i', (version) => {
    expect(expectedVersions(etagOf({ version }))).toEqual([version]);
  });
});
