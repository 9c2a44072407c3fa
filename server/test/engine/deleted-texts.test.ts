import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOST } from '../../src/audit/audit.store.ts';
import { sql } from '../../src/db/sql.ts';
import { ACTIONS } from '../../src/features/nouns.ts';
import * as member from '../../src/features/me/member-data.ts';
import { cancelPost, deletePost as deleteMyPost } from '../../src/features/me/posts.store.ts';
import { deletePost } from '../../src/features/posts/posts.store.ts';
import { cidOfRecord, newRkey } from '../../src/network/identity.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import type { Network, NetworkResponse, PostRecord } from '../../src/network/network.ts';
import { tableContents } from '../table-contents.ts';
import { openStage } from './stage.ts';
import type { Stage } from './stage.ts';

const MARKER = 'Xylophonkonzert';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('server');
});
afterEach(() => stage.close());

type Doomed = { id: string; userId: string };

const DELETIONS: Record<string, (post: Doomed) => Promise<unknown>> = {
  'by its member': async ({ id, userId }) => {
    await cancelPost(stage.db, userId, id);
    expect(await deleteMyPost(stage.db, userId, id)).toBe(true);
  },
  'by an administrator': async ({ id }) => {
    const audit = { by: HOST, action: 'postDelete' } as const;
    expect(await deletePost(stage.db, id, null, audit)).toBe(true);
  },
  'by a change of many': ({ id }) => stage.db.execute(ACTIONS.postDelete.change([id], null)),
  'with its user': ({ id, userId }) =>
    stage.db.transaction(async (tx) => {
      await member.lockHandle(tx, userId);
      await cancelPost(tx, userId, id);
      expect(await member.deletePosts(tx, userId)).toBe(false);
      await member.deletePerson(tx, userId);
    }),
  'with its user, by SQL': ({ userId }) =>
    stage.db.execute(sql`delete from users where id = ${userId}`),
};

/** A host may repeat what it refuses. */
const REFUSED: NetworkResponse = {
  kind: 'response',
  status: 400,
  error: 'InvalidRecord',
  message: `No ${MARKER} here`,
  body: null,
  retryAt: null,
};
const CUT: NetworkResponse = { kind: 'no_response', reason: 'cut', status: null };

type Moment = {
  /** Where it is deleted; where none is named, after its end. */
  at?: 'claimed' | 'journalled' | 'sent' | 'written';
  /** Instead of the local network's. */
  response?: NetworkResponse;
};
const UNDER_WAY: Record<string, Moment> = {
  'between claim and journal': { at: 'claimed' },
  'between journal and call': { at: 'journalled' },
  'during a call that publishes it': { at: 'sent' },
  'during a call that has published it': { at: 'written' },
  'during a call that is refused': { at: 'sent', response: REFUSED },
  'during a call without a response': { at: 'sent', response: CUT },
};
const ENDS: Record<string, Moment> = {
  'it was published': {},
  'it was refused': { response: REFUSED },
  'an unknown outcome': { response: CUT },
};

const KEPT_TEXTS = new Set(['between claim and journal', 'during a call that is refused']);

/** A reply, so that its preparation asks the network. */
async function stagePost(): Promise<Doomed> {
  const parent: PostRecord = {
    $type: 'app.bsky.feed.post',
    text: 'Parent',
    createdAt: '2026-11-16T12:00:00.000Z',
  };
  const { id: parentId, did } = await stage.addUser(null);
  const rkey = newRkey();
  const account = { userId: parentId, did, host: 'local' };
  const write = { rkey, cid: cidOfRecord(parent), record: parent };
  await createLocalNetwork(stage.db).putRecord(account, write);
  const user = await stage.addUser(null);
  const id = await stage.addPost(user, 3_600_000, { content: `A ${MARKER}` });
  await stage.db.execute(sql`
    update posts set reply_to = ${`at://${did}/app.bsky.feed.post/${rkey}`} where id = ${id}`);
  return { id, userId: user.id };
}

function networkThat(remove: () => Promise<unknown>, { at, response }: Moment): Network {
  const local = createLocalNetwork(stage.db);
  let isDone = false;
  const when = async (moment: Moment['at']) => {
    if (moment !== at || isDone) return;
    isDone = true;
    await remove();
  };
  return {
    ...local,
    async getRecord(...about) {
      await when('claimed');
      return local.getRecord(...about);
    },
    refreshSession: () => when('journalled'),
    async putRecord(...about) {
      await when('sent');
      const written = response ?? (await local.putRecord(...about));
      await when('written');
      return written;
    },
  };
}

const unfailed = () => stage.db.many(sql`select from posts where status <> 'FAILED'`);

describe.each(Object.entries(DELETIONS))('a post deleted %s leaves no text', (way, remove) => {
  test('before its claim', async () => {
    const post = await stagePost();
    await remove(post);
    expect(await tableContents(stage.db)).not.toContain(MARKER);
  });

  // What deletes it matters little: each meets the moments that left a text behind.
  const moments = Object.entries(UNDER_WAY).filter(
    ([name]) => way === 'by an administrator' || KEPT_TEXTS.has(name),
  );
  test.each(moments)('%s', async (_, moment) => {
    const post = await stagePost();
    const network = networkThat(() => remove(post), moment);
    const engine = await startOn(network, post);
    await expect.poll(unfailed).toEqual([]);
    expect(await textsLeft(engine, network)).not.toContain(MARKER);
  });

  test.each(Object.entries(ENDS))('after %s', async (_, moment) => {
    const post = await stagePost();
    const network = networkThat(() => remove(post), moment);
    const engine = await startOn(network, post);
    const ended = sql`select from posts where status in ('COMPLETED', 'FAILED')`;
    await expect.poll(() => stage.db.many(ended)).toHaveLength(1);
    await remove(post);
    expect(await textsLeft(engine, network)).not.toContain(MARKER);
  });
});

describe('what is left of a journal entry whose post is deleted', () => {
  test.each([
    [
      'keys that are texts',
      '[{"rkey":"3k","cid":"bafy","record":{}}]',
      '[{"rkey":"3k","cid":"bafy"}]',
    ],
    [
      'no text in place of a CID',
      `[{"rkey":["${MARKER}"],"cid":{"a":"${MARKER}"}}]`,
      '[{"rkey":null,"cid":null}]',
    ],
    ['no more parts than a post has', `[${'{},'.repeat(40)}{}]`, `[${'x,'.repeat(24)}x]`],
  ])('%s', async (_, writes, left) => {
    const row = await stage.db.one<{ rest: unknown }>(
      sql`select without_records(${writes}::json) as rest`,
    );
    const expected = left.replaceAll('x', '{"rkey":null,"cid":null}');
    expect(row.rest).toEqual(JSON.parse(expected));
  });
});

type Engine = Awaited<ReturnType<Stage['startEngine']>>;

/** With the post due. */
async function startOn(network: Network, { id }: Doomed): Promise<Engine> {
  const engine = await stage.startEngine(network, { retryWindowMs: 0 });
  await stage.db.execute(sql`update posts set scheduled_at = now() where id = ${id}`);
  return engine;
}

/** In all tables, when nothing is under way any more. */
async function textsLeft(engine: Engine, network: Network): Promise<string> {
  await engine.stop();
  // What its worker has not settled, another one looks at.
  await stage.db.execute(sql`update deliveries set look_at = now() where look_at is not null`);
  await stage.startEngine(network, { retryWindowMs: 0 });
  const looks = () => stage.db.many(sql`select from deliveries where look_at is not null`);
  await expect.poll(looks).toEqual([]);
  return tableContents(stage.db, ['local_records']);
}
