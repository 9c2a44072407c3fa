import { describe, expect, test } from 'vitest';
import { groupSessionChecks } from './session-checks.ts';

type Session = { token_hash: string; admin: string };

const hashOf = (name: string) => Buffer.from(name.padEnd(32, '.'));
const sessionOf = (tokenHash: Buffer): Session => ({
  token_hash: tokenHash.toString('hex'),
  admin: tokenHash.toString().replaceAll('.', ''),
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Queries whose answers the test decides. */
function heldQueries() {
  const sent: (PromiseWithResolvers<Session[]> & { asked: readonly Buffer[] })[] = [];
  const check = groupSessionChecks((asked) => {
    const query = { asked, ...Promise.withResolvers<Session[]>() };
    sent.push(query);
    return query.promise;
  });
  return { check, sent };
}

describe('checks of sessions', () => {
  test('that are asked for in one turn share a query, each token once', async () => {
    const { check, sent } = heldQueries();
    const answers = [check(hashOf('ann')), check(hashOf('bob')), check(hashOf('ann'))];
    await turn();
    expect(sent.map(({ asked }) => asked)).toEqual([[hashOf('ann'), hashOf('bob')]]);
    // In another order than asked for, and with one that nobody asked for.
    sent[0]?.resolve([hashOf('eve'), hashOf('bob'), hashOf('ann')].map(sessionOf));
    const admins = (await Promise.all(answers)).map((session) => session?.admin);
    expect(admins).toEqual(['ann', 'bob', 'ann']);
  });

  test('know nothing of a token whose session is not live', async () => {
    const { check, sent } = heldQueries();
    const [ann, bob] = [check(hashOf('ann')), check(hashOf('bob'))];
    await turn();
    sent[0]?.resolve([sessionOf(hashOf('bob'))]);
    expect([await ann, (await bob)?.admin]).toEqual([null, 'bob']);
  });

  test('that come while one is under way are judged by a query sent after they came', async () => {
    const { check, sent } = heldQueries();
    const before = check(hashOf('ann'));
    await turn();
    // Here the session ends, and whoever ended it is told so; the first query has yet to be answered.
    const after = check(hashOf('ann'));
    await turn();
    expect(sent).toHaveLength(2);
    sent[1]?.resolve([]);
    expect(await after).toBeNull();
    sent[0]?.resolve([sessionOf(hashOf('ann'))]);
    expect(await before).toMatchObject({ admin: 'ann' });
  });

  test('ask again for what was answered a moment ago', async () => {
    const { check, sent } = heldQueries();
    for (const [index, found] of [[sessionOf(hashOf('ann'))], []].entries()) {
      const answer = check(hashOf('ann'));
      await turn();
      sent[index]?.resolve(found);
      expect(await answer).toEqual(found[0] ?? null);
    }
  });

  test('all fail with the query they share, and only with that', async () => {
    const { check, sent } = heldQueries();
    const failing = [check(hashOf('ann')), check(hashOf('bob')), check(hashOf('ann'))];
    const settled = Promise.allSettled(failing);
    await turn();
    const next = check(hashOf('ann'));
    await turn();
    sent[0]?.reject(new Error('gone'));
    for (const answer of await settled) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
    }
    sent[1]?.resolve([sessionOf(hashOf('ann'))]);
    expect(await next).toMatchObject({ admin: 'ann' });
  });
});
