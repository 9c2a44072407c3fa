import { describe, expect, test } from 'vitest';
import { oneOf, readParams, readPosition, text, writeParams } from './params.ts';

const PARAMS = {
  status: oneOf(['ACTIVE', 'BLOCKED']),
  sort: oneOf(['scheduled_at', 'status'], 'scheduled_at'),
  userFilter: text(5),
};

function search(query: string) {
  return new URLSearchParams(query);
}

describe('reading', () => {
  test.each([
    ['', { status: '', sort: 'scheduled_at', userFilter: '' }],
    ['status=ACTIVE&sort=status', { status: 'ACTIVE', sort: 'status', userFilter: '' }],
    ['status=active&sort=x', { status: '', sort: 'scheduled_at', userFilter: '' }],
    ['userFilter=abcde', { status: '', sort: 'scheduled_at', userFilter: 'abcde' }],
    ['userFilter=abcdef', { status: '', sort: 'scheduled_at', userFilter: '' }],
    ['userFilter=😀😀😀😀😀', { status: '', sort: 'scheduled_at', userFilter: '😀😀😀😀😀' }],
    ['userFilter=a%00', { status: '', sort: 'scheduled_at', userFilter: '' }],
    ['status=constructor', { status: '', sort: 'scheduled_at', userFilter: '' }],
  ])('%s', (query, values) => {
    expect(readParams(PARAMS, search(query))).toEqual(values);
  });

  test.each([
    ['', 1],
    ['page=3', 3],
    ['page=0', 1],
    ['page=-2', 1],
    ['page=1.5', 1],
    ['page=abc', 1],
    ['page=9999999', 1_000_000],
    ['page=99999999999999999999', 1],
  ])('page of %s', (query, page) => {
    expect(readPosition(search(query))).toEqual({ page });
  });
});

test('a cursor counts beside a page number alone, and within its length', () => {
  expect(readPosition(search('page=3&cursor=abc'))).toEqual({ page: 3, cursor: 'abc' });
  expect(readPosition(search('cursor=abc'))).toEqual({ page: 1 });
  expect(readPosition(search('page=3&cursor=%00'))).toEqual({ page: 3 });
  expect(readPosition(search(`page=3&cursor=${'a'.repeat(501)}`))).toEqual({ page: 3 });
});

function written(query: string, page: number, cursor?: string) {
  return writeParams(PARAMS, search(query), {}, { page, cursor }).toString();
}

describe('writing', () => {
  // Proves 2.72
  test('a change of filter or sort returns to page 1', () => {
    const next = writeParams(PARAMS, search('page=4&cursor=abc&userFilter=a'), {
      status: 'BLOCKED',
    });
    expect(next.toString()).toBe('userFilter=a&status=BLOCKED');
  });

  test('what is the fallback anyway does not stand in the URL', () => {
    const next = writeParams(PARAMS, search('status=ACTIVE&sort=status'), {
      status: '',
      sort: 'scheduled_at',
    });
    expect(next.toString()).toBe('');
  });

  test('turning the page keeps the filters', () => {
    expect(written('status=ACTIVE', 2)).toBe('status=ACTIVE&page=2');
    expect(written('status=ACTIVE', 2, 'abc')).toBe('status=ACTIVE&page=2&cursor=abc');
    expect(written('page=2&cursor=abc', 1)).toBe('');
    expect(written('page=2&cursor=abc', 3)).toBe('page=3');
  });
});
