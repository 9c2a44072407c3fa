import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { openStage } from './stage.ts';
import type { Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('server');
});
afterEach(() => stage.close());

test('a record of another program that has no CID keeps no other post waiting', async () => {
  const { db } = stage;
  const broken = await stage.addPost(await stage.addUser(null), -1_000);
  // Claimed and journalled by a worker that died since.
  const { attempt } = await db.one<{ attempt: number }>(
    sql`select attempt from meridian_api.claim_posts()`,
  );
  const record = { $type: 'app.bsky.feed.post', text: 'No CID', via: { $link: 'nothing' } };
  await db.execute(sql`
    select meridian_api.journal_post(${broken}, ${attempt}, ${sql.json([{ rkey: '3jzfcijpj2z2a', record }])})`);
  await db.execute(sql`update posts set claim_at = now() - interval '1 second'`);
  const due = await stage.addPost(await stage.addUser(null), -500);

  await stage.startEngine(createLocalNetwork(db));
  const status = () => db.one(sql`select status from posts where id = ${due}`);
  await expect.poll(status).toEqual({ status: 'COMPLETED' });
  expect(stage.logged.filter((line) => line.includes('cannot claim'))).toEqual([]);
});
