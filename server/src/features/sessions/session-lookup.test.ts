import { expect, test } from 'vitest';
import { createSessionLookup } from './sessions.service.ts';

type Session = { token_hash: string; admin: string };

const hashOf = (name: string) => Buffer.from(name.padEnd(32, '.'));
const sessionOf = (name: string): Session => ({
  token_hash: hashOf(name).toString('hex'),
  admin: name,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Queries whose results the test decides. */
function heldQueries() {
  const sent: (PromiseWithResolvers<Session[]> & { asked: readonly Buffer[] })[] = [];
  const lookup = createSessionLookup((asked) => {
    const query = { asked, ...Promise.withResolvers<Session[]>() };
    sent.push(query);
    return query.promise;
  });
  return { find: (name: string) => lookup(hashOf(name)), sent };
}

test('lookups of one turn share a query; a token without a live session has none', async () => {
  const { find, sent } = heldQueries();
  const found = Promise.all(['ann', 'bob', 'ann', 'eve'].map(find));
  await turn();
  expect(sent).toHaveLength(1);
  // In another order, and with a session of another token.
  sent[0]?.resolve([sessionOf('zoe'), sessionOf('bob'), sessionOf('ann')]);
  expect((await found).map((session) => session?.admin)).toEqual(['ann', 'bob', 'ann', undefined]);
});

test('a lookup never joins a query that was sent before, nor reuses its result', async () => {
  const { find, sent } = heldQueries();
  const before = find('ann');
  await turn();
  // The session is revoked here, while the first query is still running.
  const after = find('ann');
  await turn();
  expect(sent).toHaveLength(2);
  sent[1]?.resolve([]);
  expect(await after).toBeNull();
  sent[0]?.resolve([sessionOf('ann')]);
  expect(await before).toMatchObject({ admin: 'ann' });
  const again = find('ann');
  await turn();
  sent[2]?.resolve([]);
  expect(await again).toBeNull();
});

test('a failed query fails its lookups, and no others', async () => {
  const { find, sent } = heldQueries();
  const failing = Promise.allSettled(['ann', 'bob', 'ann'].map(find));
  await turn();
  const next = find('ann');
  await turn();
  sent[0]?.reject(new Error('gone'));
  for (const outcome of await failing) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
  }
  sent[1]?.resolve([sessionOf('ann')]);
  expect(await next).toMatchObject({ admin: 'ann' });
});
