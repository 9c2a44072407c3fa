import { expect, test } from 'vitest';
import { createKnownNetworks } from './sign-in-limits.ts';

const ana = { name: 'ana', network: '203.0.113.1' };
const ben = { name: 'ben', network: '203.0.113.2' };
const eva = { name: 'eva', network: '203.0.113.3' };

test('a network is known for a name, not for others', () => {
  const known = createKnownNetworks();
  known.add(ana);
  expect(known.has({ ...ana })).toBe(true);
  expect(known.has({ ...ana, network: ben.network })).toBe(false);
  expect(known.has({ ...ana, name: ben.name })).toBe(false);
});

test('the least recently used is dropped first', () => {
  const known = createKnownNetworks(2);
  for (const one of [ana, ben, ana, eva]) known.add(one);
  expect([ana, ben, eva].map((one) => known.has(one))).toEqual([true, false, true]);
});
