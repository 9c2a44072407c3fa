import { findGet } from '@meridian/contract/find';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { ANALYZED, pagesOf, plansOf, scannedBy } from '../../../test/explain.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import * as store from './find.ts';
import { findTarget } from './find.ts';

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
        await store.findUsersByPart(db, 'anna');
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

describe('the target of a pasted text', () => {
  const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';

  test.each([
    [
      '0192F3A4-0000-7000-8000-000000000001',
      { kind: 'id', id: '0192f3a4-0000-7000-8000-000000000001' },
    ],
    [DID, { kind: 'user', name: DID }],
    ['did:web:example.com', { kind: 'user', name: 'did:web:example.com' }],
    ['anna.example', { kind: 'user', name: 'anna.example' }],
    ['@anna.bsky.social', { kind: 'user', name: 'anna.bsky.social' }],
    [`at://${DID}`, { kind: 'user', name: DID }],
    [`at://${DID}/app.bsky.feed.post/3kabc`, { kind: 'post', name: DID, rkey: '3kabc' }],
    ['https://bsky.app/profile/anna.example', { kind: 'user', name: 'anna.example' }],
    ['https://bsky.app/profile/anna.example/', { kind: 'user', name: 'anna.example' }],
    [
      'https://bsky.app/profile/anna.example/post/3kabc?ref=x#y',
      { kind: 'post', name: 'anna.example', rkey: '3kabc' },
    ],
    [`bsky.app/profile/${DID}/post/3kabc`, { kind: 'post', name: DID, rkey: '3kabc' }],
    ['https://bsky.app/profile/%40anna.example', { kind: 'user', name: 'anna.example' }],
    ['ABCD-EFGH-JKLM-NPQR', { kind: 'code', code: 'ABCD-EFGH-JKLM-NPQR' }],
    ['abcd efgh jklm npqr', { kind: 'code', code: 'ABCD-EFGH-JKLM-NPQR' }],
    ['ABCDEFGHJKLMNPQR', { kind: 'code', code: 'ABCD-EFGH-JKLM-NPQR' }],
    ['ABCD-EFGH', { kind: 'text' }],
    ['anna', { kind: 'text' }],
    ['https://example.com/other', { kind: 'text' }],
    ['https://bsky.app/profile/%E0%A4%A', { kind: 'text' }],
    ['javascript:/profile/x', { kind: 'text' }],
    ['', { kind: 'text' }],
  ])('%s', (text, target) => {
    expect(findTarget(text)).toEqual(target);
  });
});

const USERS = 4_000;
const LABEL = 'quxwyz';

describe.each(EITHER)('finding a handle on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.db.execute(sql`
      insert into users (id, did, handle)
      select gen_random_uuid(), 'did:plc:' || md5(n::text), case n when 1 then ${LABEL}::text
        else substr(md5(n::text), 1, 9) end || '.somewhere.example'
      from generate_series(1, ${USERS}::integer) as n`);
    await api.db.execute(sql`vacuum (analyze) users`);
  });

  /** Pages that the statements of a store read. */
  const pagesReadBy = (ask: (db: Db) => Promise<unknown>) =>
    api.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      const plans = await plansOf(tx, ask, ANALYZED);
      return plans.reduce((sum, plan) => sum + pagesOf(plan), 0);
    });

  test('asks the index for what tells users apart, not for the ending of all of them', async () => {
    const whole = `${LABEL}.somewhere.example`;
    expect((await store.findUsers(api.db, whole)).map(({ detail }) => detail)).toEqual([
      `@${whole}`,
    ]);
    const ofLabel = await pagesReadBy((db) => store.findUsersByPart(db, LABEL));
    expect(await pagesReadBy((db) => store.findUsers(db, whole))).toBeLessThan(1.5 * ofLabel);
    // The index of display names is asked for all of it.
    expect(await pagesReadBy((db) => store.findUsersByPart(db, whole))).toBeLessThan(2.5 * ofLabel);
  });
});
