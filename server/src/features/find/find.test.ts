import { findGet } from '@meridian/contract/find';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { plansOf, scannedBy } from '../../../test/explain.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
import * as store from './find.ts';

const DID = 'did:plc:anna';
const CODE = 'ABCD-EFGH-JKLM-NPQR';

describe.each(EITHER)('finding on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  const ids = { user: '', post: '', ticket: '', plan: '' };

  beforeAll(async () => {
    ({ token } = await api.signIn());
    ids.user = await insertUser(api.db, {
      did: DID,
      handle: 'Anna.example',
      display_name: 'Anna B',
    });
    ids.post = await insertPost(api.db, ids.user, {
      content: 'Hello',
      at_rkey: '3kabc',
      status: 'COMPLETED',
    });
    const { ticketId, planId } = await grantPlan(api.db, ids.user, { code: CODE });
    Object.assign(ids, { ticket: ticketId, plan: planId });
    await insertUser(api.db, { handle: 'joanna.example', display_name: 'Jo' });
    for (let index = 0; index < 12; index += 1) {
      await insertUser(api.db, { handle: `many${index}.test`, display_name: `50%_${index}` });
    }
  });

  const find = async (q: string) =>
    (await api.call(findGet, { token, query: { q } })).answer.results;
  const kinds = async (q: string) => (await find(q)).map(({ kind, id }) => `${kind} ${id}`);

  test('lands on exactly what a text names', async () => {
    const user = `user ${ids.user}`;
    const post = `post ${ids.post}`;
    for (const [text, expected] of [
      [DID, user],
      ['anna.example', user],
      ['@ANNA.example', user],
      ['https://bsky.app/profile/anna.example', user],
      [`at://${DID}/app.bsky.feed.post/3kabc`, post],
      ['https://bsky.app/profile/anna.example/post/3kabc', post],
      // Of a post that is not here, the author.
      ['https://bsky.app/profile/anna.example/post/3kother', user],
      [ids.post, post],
      [ids.user.toUpperCase(), user],
      [ids.plan, `plan ${ids.plan}`],
      ['abcdefghjklmnpqr', `ticket ${ids.ticket}`],
    ]) {
      expect([text, (await kinds(text ?? ''))[0]]).toEqual([text, expected]);
    }
    expect((await find(ids.post))[0]).toEqual({
      kind: 'post',
      id: ids.post,
      title: 'Hello',
      detail: '@Anna.example · COMPLETED',
    });
  });

  test('finds users by a part of a name, the nearest first, at most ten', async () => {
    expect((await find('anna')).map(({ detail }) => detail)).toEqual([
      '@Anna.example',
      '@joanna.example',
    ]);
    expect((await find('anna.example')).map(({ detail }) => detail)).toEqual([
      '@Anna.example',
      '@joanna.example',
    ]);
    expect(await find('many')).toHaveLength(10);
    expect(await find('0%_1')).toHaveLength(3);
    for (const nothing of ['an', 'not-to-be-found', uuidV7(), 'AAAA-AAAA-AAAA-AAAA']) {
      expect([nothing, await find(nothing)]).toEqual([nothing, []]);
    }
  });

  test('reads no table whole', async () => {
    await api.db.transaction(async (tx) => {
      // Few rows are read whole in any case; what matters is whether there is another way.
      await tx.execute(sql`set local enable_seqscan = off`);
      const plans = await plansOf(tx, async (db) => {
        await store.findById(db, uuidV7());
        await store.findTicket(db, CODE);
        await store.findUsers(db, 'anna.example');
        await store.findPosts(db, DID, '3kabc');
        await store.findPeople(db, 'anna');
      });
      expect(scannedBy(plans)).toEqual([]);
    });
  });

  test('needs a text', async () => {
    expect(refusal(await api.call(findGet, { token }))).toEqual(
      catalogued('invalid_input', 'q is required'),
    );
  });
});
