import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createLog } from '../../src/log.ts';
import type { LiveNetwork } from '../../src/network/oauth/live-network.ts';
import { DID, HANDLE, startOAuthHost } from '../../src/network/testing/oauth-host.ts';
import type { OAuthHost } from '../../src/network/testing/oauth-host.ts';
import { expireSession, newMasterKey, openTestLive } from '../../src/network/testing/test-live.ts';
import { insertUser } from '../fixtures.ts';
import { given, openStage } from './stage.ts';
import type { Stage, StagedUser } from './stage.ts';

let stage: Stage;
let host: OAuthHost;
let live: LiveNetwork;
let user: StagedUser;
const keys = newMasterKey();

beforeEach(async () => {
  stage = await openStage('server');
  host = await startOAuthHost();
  stage.closeAtEnd(() => host.close());
  const { db, connectionString, logged } = stage;
  const log = createLog('info', { write: (line) => logged.push(line) });
  const options = { keys, directories: host.directories() };
  live = await openTestLive({ db, connection: { connectionString }, log }, options);
  stage.closeAtEnd(() => live.close());
  user = { id: await insertUser(db, { did: DID }), did: DID };
  await connect();
});
afterEach(() => stage.close());

async function connect(): Promise<void> {
  const address = given((await live.connector.begin(HANDLE, 'state')) ?? undefined);
  const account = await live.connector.finish(host.consent(new URL(address)));
  await stage.db.execute(sql`
    insert into accounts (user_id, host) values (${user.id}, ${account.host})
    on conflict (user_id) do update set state = 'CONNECTED', state_since = now()`);
}

const stateOf = async () =>
  (await stage.db.one<{ state: string }>(sql`select state from accounts`)).state;
const lastPost = async () => given((await stage.readPosts()).at(-1));

test('a refresh that fails is retried, and the post goes out once', async () => {
  await expireSession(stage.db, keys, DID);
  host.refreshFault = 'bad gateway';
  await stage.addPost(user, 0);
  await stage.startEngine(live.network);
  await expect
    .poll(() => stage.db.many(sql`select error from delivery_attempts`))
    .toEqual([{ error: 'unreachable' }]);
  expect(await stateOf()).toBe('CONNECTED');
  host.refreshFault = null;
  await stage.untilOpen(0);
  expect(await lastPost()).toMatchObject({ status: 'COMPLETED', hold: null });
  expect(host.writes).toHaveLength(1);
});

test('once the access has ended posts wait, held, and go out when it is given again', async () => {
  await expireSession(stage.db, keys, DID);
  host.refreshFault = 'refused';
  await stage.addPost(user, 0);
  await stage.startEngine(live.network);
  await expect.poll(async () => (await lastPost()).hold).toBe('reconnect');
  expect(await lastPost()).toMatchObject({ status: 'PENDING', cause: 'reconnect' });
  expect(await stateOf()).toBe('RECONNECT');
  expect(host.writes).toEqual([]);
  host.refreshFault = null;
  await connect();
  await stage.untilOpen(0);
  expect(await lastPost()).toMatchObject({ status: 'COMPLETED', hold: null });
  expect(host.writes).toHaveLength(1);
});
