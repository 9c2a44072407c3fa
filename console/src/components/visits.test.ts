import { expect, test } from 'vitest';
import {
  forgetVisits,
  inheritVisit,
  lastAddressOf,
  recentPaths,
  recordSearch,
  recordVisit,
  wasOpenedFrom,
} from './visits.tsx';

const LIST = { key: 'a', pathname: '/users', search: '?page=2' };
const USER = { key: 'b', pathname: '/users/1', search: '' };

test('a page knows the list it was opened from, and how that was looked at', () => {
  recordSearch(LIST);
  recordVisit(LIST, USER);
  expect(wasOpenedFrom('b', '/users')).toBe(true);
  expect(wasOpenedFrom('b', '/posts')).toBe(false);
  expect(wasOpenedFrom('a', '/users')).toBe(false);
  expect(lastAddressOf('/users')).toBe('/users?page=2');
  expect(lastAddressOf('/posts')).toBe('/posts');
});

test('an entry that replaces another has the same list behind it, and both were visited', () => {
  const next = { key: 'c', pathname: '/users/2', search: '' };
  forgetVisits();
  for (const visit of [LIST, USER, next, LIST]) recordSearch(visit);
  recordVisit(LIST, USER);
  inheritVisit(USER, next);
  expect(wasOpenedFrom('c', '/users')).toBe(true);
  expect(recentPaths()).toEqual(['/users', '/users/2', '/users/1']);
});

test('the next administrator inherits nothing', () => {
  recordSearch(LIST);
  recordVisit(LIST, USER);
  forgetVisits();
  expect(wasOpenedFrom('b', '/users')).toBe(false);
  expect(lastAddressOf('/users')).toBe('/users');
  expect(recentPaths()).toEqual([]);
});
