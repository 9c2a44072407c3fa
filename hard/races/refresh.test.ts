import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { sql } from '../../server/src/db/sql.ts';
import { createLog } from '../../server/src/log.ts';
import { cidOfRecord, newRkey } from '../../server/src/network/identity.ts';
import type { PostRecord } from '../../server/src/network/network.ts';
import { DID, HANDLE, startOAuthHost } from '../../server/src/network/testing/oauth-host.ts';
import { startRestoring } from '../../server/src/network/testing/restoring.ts';
import {
  expireSession,
  newMasterKey,
  openTestLive,
} from '../../server/src/network/testing/test-live.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { PATIENT, openPatient } from '../../server/test/patient.ts';

const PROCESSES = 8;
const ROUNDS = 25;

let closers = createClosers();
beforeEach(() => {
  closers = createClosers();
});
afterEach(() => closers.closeAll());

const record: PostRecord = {
  $type: 'app.bsky.feed.post',
  text: 'Hello',
  createdAt: '2026-11-16T12:00:00.000Z',
};
const write = { rkey: newRkey(), cid: cidOfRecord(record), record };

async function connectedAccount() {
  const database = await createTestDatabase('server');
  closers.add(() => database.drop());
  const { connectionString } = database;
  const connection = { connectionString, ...PATIENT };
  const db = openPatient(connection);
  closers.add(() => db.close());
  const host = await startOAuthHost();
  closers.add(() => host.close());
  const live = { keys: newMasterKey(), directories: host.directories() };
  const logged: string[] = [];
  const log = createLog('warn', { write: (line) => logged.push(line) });
  const opened = await openTestLive({ db, connection, log }, live);
  closers.add(() => opened.close());
  const { connector, network } = opened;
  const address = await connector.begin(HANDLE, 'state');
  await connector.finish(host.consent(new URL(address ?? host.url)));
  const account = { userId: 'u', did: DID, host: host.url };
  return { connectionString, db, host, live, network, account, logged };
}

test('8 processes restore an expired session 200 times: one refresh each time, none lost', async () => {
  const { connectionString, db, host, live, account } = await connectedAccount();
  const processes = await startRestoring(PROCESSES, { connectionString, live, account, write });
  closers.add(() => processes.stop());
  for (let round = 1; round <= ROUNDS; round += 1) {
    await expireSession(db, live.keys, DID);
    const statuses = (await processes.write()).map(({ status }) => status);
    expect({ round, statuses, refreshes: host.refreshes, replays: host.replays }).toEqual({
      round,
      statuses: statuses.map(() => 200),
      refreshes: round,
      replays: 0,
    });
  }
});

test('50 writes of one process at an expired session: one refresh', async () => {
  const { db, host, live, network, account } = await connectedAccount();
  await expireSession(db, live.keys, DID);
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => network.putRecord(account, write)),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect({ refreshes: host.refreshes, replays: host.replays }).toEqual({
    refreshes: 1,
    replays: 0,
  });
});

test('a lock held elsewhere delays a write, and never ends the access', async () => {
  const { db, host, live, network, account, logged } = await connectedAccount();
  await expireSession(db, live.keys, DID);
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`@atproto-oauth-client-${DID}`}, 0))`,
    );
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const writing = network.putRecord(account, write);
  await expect
    .poll(async () => {
      const { waiting } = await db.one<{ waiting: number }>(
        sql`select count(*)::integer as waiting from pg_locks where locktype = 'advisory' and not granted`,
      );
      return waiting;
    })
    .toBe(1);
  expect(host.refreshes).toBe(0);
  released.resolve();
  await holding;
  expect(await writing).toMatchObject({ status: 200 });
  expect(host.refreshes).toBe(1);
  expect(logged).toEqual([]);
});

test.each(['cannot_connect_now', 'admin_shutdown', 'disk_full', 'read_only_sql_transaction'])(
  'a database that refuses with %s for a moment loses no refreshed token',
  async (refusal) => {
    const { db, host, live, network, account } = await connectedAccount();
    await expireSession(db, live.keys, DID);
    await db.execute(sql`create table refusal (word text)`);
    await db.execute(sql`insert into refusal values (${refusal})`);
    await db.execute(sql`create sequence refusals`);
    // A sequence keeps its value when the statement is undone.
    await db.execute(sql`
      create function refuse_for_test() returns trigger language plpgsql as $$ begin
        perform nextval('refusals');
        raise exception 'not now' using errcode = (select word from refusal);
      end $$`);
    await db.execute(sql`
      create trigger refuse_for_test before insert or update on oauth_sessions
      execute function refuse_for_test()`);
    const writing = network.putRecord(account, write);
    await expect
      .poll(() => db.one(sql`select is_called from refusals`))
      .toEqual({ is_called: true });
    await db.execute(sql`drop function refuse_for_test() cascade`);
    expect(await writing).toMatchObject({ status: 200 });
    await expireSession(db, live.keys, DID);
    expect(await network.putRecord(account, write)).toMatchObject({ status: 200 });
    expect({ refreshes: host.refreshes, replays: host.replays }).toEqual({
      refreshes: 2,
      replays: 0,
    });
  },
);
