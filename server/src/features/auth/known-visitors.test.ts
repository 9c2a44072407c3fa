import { expect, test } from 'vitest';
import { createKnownVisitors } from './known-visitors.ts';

const ana = { name: 'ana', network: '203.0.113.1' };
const ben = { name: 'ben', network: '203.0.113.2' };
const eva = { name: 'eva', network: '203.0.113.3' };

test('a visitor is known by name and network together', () => {
  const visitors = createKnownVisitors();
  visitors.add(ana);
  expect(visitors.has({ ...ana })).toBe(true);
  expect(visitors.has({ ...ana, network: ben.network })).toBe(false);
  expect(visitors.has({ ...ana, name: ben.name })).toBe(false);
});

test('of too many, those that have not been here for longest are forgotten', () => {
  const visitors = createKnownVisitors(2);
  for (const visitor of [ana, ben, ana, eva]) visitors.add(visitor);
  expect([ana, ben, eva].map((visitor) => visitors.has(visitor))).toEqual([true, false, true]);
});
