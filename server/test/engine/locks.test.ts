import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { responded } from '../../src/engine/testing/responses.ts';
import { openPatient } from '../patient.ts';
import { openStage } from './stage.ts';
import type { Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('server');
});
afterEach(() => stage.close());

/** More than a worker has connections. */
const DECIDED = 20;
const FOREVER = { lock_timeout: 0, statement_timeout: 0, query_timeout: 0 };

test('decided posts that a transaction has locked keep no other post waiting', async () => {
  const { db } = stage;
  const network = createLocalNetwork(db);
  // A repository is asked by one call at a time.
  for (let at = 0; at < DECIDED; at += 1) await stage.addPost(await stage.addUser(null), 3_600_000);
  // Cancelled 15 seconds ago while a worker had them, which died.
  await db.execute(sql`
    insert into deliveries (post_id, user_id, did, host, writes)
    select p.id, u.id, u.did, 'local',
      json_build_array(json_build_object('rkey', '3l' || substr(md5(p.id::text), 1, 11), 'cid', 'b', 'record', '{}'::json))
    from posts p join users u on u.id = p.user_id`);
  await db.execute(sql`update posts set status = 'CANCELLED', attempt = 1, claim_at = now()`);

  const asked = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  let questions = 0;
  await stage.startEngine(
    {
      ...network,
      async getRecord(...about) {
        questions += 1;
        if (questions === DECIDED) asked.resolve();
        await locked.promise;
        return network.getRecord(...about);
      },
    },
    {},
    FOREVER,
  );
  await asked.promise;
  const writer = openPatient({ connectionString: stage.connectionString, ...FOREVER }, 1);
  stage.closeAtEnd(() => writer.close());
  await writer.transaction(async (tx) => {
    await tx.execute(sql`update posts set content = 'edited' where status = 'CANCELLED'`);
    locked.resolve();
    const due = await stage.addPost(await stage.addUser(null), 0);
    const status = () => db.one(sql`select status from posts where id = ${due}`);
    await expect.poll(status, { timeout: 30_000 }).toEqual({ status: 'COMPLETED' });
  });
});

test('accounts that a transaction has locked keep no other post waiting', async () => {
  const { db } = stage;
  const network = createLocalNetwork(db);
  for (let at = 0; at < DECIDED; at += 1) await stage.addPost(await stage.addUser('local'), 0);
  const refused = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  let calls = 0;
  await stage.startEngine(
    {
      ...network,
      async putRecord(account, write) {
        calls += 1;
        if (calls > DECIDED) return network.putRecord(account, write);
        if (calls === DECIDED) refused.resolve();
        await locked.promise;
        return responded(401, 'AuthMissing');
      },
    },
    {},
    FOREVER,
  );
  await refused.promise;
  const writer = openPatient({ connectionString: stage.connectionString, ...FOREVER }, 1);
  stage.closeAtEnd(() => writer.close());
  await writer.transaction(async (tx) => {
    await tx.execute(sql`update accounts set host = 'elsewhere'`);
    locked.resolve();
    const due = await stage.addPost(await stage.addUser(null), 0);
    const status = () => db.one(sql`select status from posts where id = ${due}`);
    await expect.poll(status, { timeout: 30_000 }).toEqual({ status: 'COMPLETED' });
  });
});
