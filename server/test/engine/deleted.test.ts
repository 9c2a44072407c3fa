import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { claimPosts } from '../../src/engine/claim.ts';
import { journal } from '../../src/engine/journal.ts';
import { cidOfRecord, newRkey } from '../../src/network/identity.ts';
import type { PostRecord } from '../../src/network/network.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { given, openStage, OPTIONS } from './stage.ts';
import type { Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('server');
});
afterEach(() => stage.close());

const record: PostRecord = {
  $type: 'app.bsky.feed.post',
  text: 'Deleted',
  createdAt: '2026-11-16T12:00:00.000Z',
};
const newWrite = () => ({ rkey: newRkey(), cid: cidOfRecord(record), record });

async function claimOne() {
  await stage.addPost(await stage.addUser(null), 0);
  const claim = await claimPosts(stage.db, { ...OPTIONS, defaultHost: 'local' });
  return given(claim.posts[0]);
}

/** Its worker dies with the post on the wire, which an administrator deletes meanwhile. */
async function deleteOnTheWire(isWritten: boolean): Promise<string> {
  const { db } = stage;
  const network = createLocalNetwork(db);
  const post = await claimOne();
  const write = newWrite();
  await journal(db, [{ post, writes: [write] }]);
  if (isWritten) await network.putRecord(post, write);
  await db.execute(sql`delete from posts where id = ${post.id}`);
  // As if 15 seconds had passed.
  await db.execute(sql`update deliveries set look_at = now() where post_id = ${post.id}`);
  return `at://${post.did}/app.bsky.feed.post/${write.rkey}`;
}

const entries = () =>
  stage.db.many(
    sql`select action, after ->> 'at_uri' as uri from audit_log where action = 'postPublishedAfterDelete'`,
  );
const journalled = () => stage.db.one(sql`select outcome, at_uri, look_at from deliveries`);

test('deleted on the wire, its worker dead: another one finds it public and says so', async () => {
  const uri = await deleteOnTheWire(true);
  await stage.startEngine(createLocalNetwork(stage.db));
  await expect.poll(entries).toEqual([{ action: 'postPublishedAfterDelete', uri }]);
  expect(await journalled()).toEqual({ outcome: 'already', at_uri: uri, look_at: null });
});

test('deleted before it arrived, its worker dead: its journal entry is settled', async () => {
  await deleteOnTheWire(false);
  await stage.startEngine(createLocalNetwork(stage.db));
  await expect.poll(journalled).toEqual({ outcome: 'unknown', at_uri: null, look_at: null });
  expect(await entries()).toEqual([]);
});

test('deleted while its record is journalled: the record is not kept', async () => {
  const { db } = stage;
  const post = await claimOne();
  const journalling = await db.transaction(async (tx) => {
    await tx.execute(sql`delete from posts where id = ${post.id}`);
    const entries = [{ post, writes: [newWrite()] }];
    expect((await journal(db, entries, 'skip')).size).toBe(0);
    return { done: journal(db, entries) };
  });
  expect((await journalling.done).size).toBe(0);
  expect(await db.many(sql`select from deliveries`)).toEqual([]);
});

test('deleted while it is prepared: it is not sent, and its texts are not kept', async () => {
  const { db } = stage;
  const network = createLocalNetwork(db);
  const { id: userId, did } = await stage.addUser(null);
  const parent = newWrite();
  await network.putRecord({ userId, did, host: 'local' }, parent);
  const replyTo = `at://${did}/app.bsky.feed.post/${parent.rkey}`;
  const id = await stage.addPost(await stage.addUser(null), 3_600_000);
  await db.execute(
    sql`update posts set reply_to = ${replyTo}, scheduled_at = now() where id = ${id}`,
  );
  const sent: string[] = [];
  const engine = await stage.startEngine({
    ...network,
    async getRecord(...about) {
      await db.execute(sql`delete from posts where id = ${id}`);
      return network.getRecord(...about);
    },
    async putRecord(account, write) {
      sent.push(write.rkey);
      return network.putRecord(account, write);
    },
  });
  await expect.poll(() => db.many(sql`select from posts`)).toEqual([]);
  await engine.stop();
  expect(sent).toEqual([]);
  expect(await db.many(sql`select from deliveries`)).toEqual([]);
  expect(stage.logged.filter((line) => line.includes('broke off'))).toEqual([]);
});
