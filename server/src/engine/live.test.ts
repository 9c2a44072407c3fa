import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertUser } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';
import { createLog } from '../log.ts';
import type { LiveNetwork } from '../network/oauth/live-network.ts';
import { DID, HANDLE, startOAuthHost } from '../network/testing/oauth-host.ts';
import type { OAuthHost } from '../network/testing/oauth-host.ts';
import { expireSession, newMasterKey, openTestLive } from '../network/testing/test-live.ts';
import { given, openStage } from './testing/stage.ts';
import type { Stage, StagedUser } from './testing/stage.ts';

let stage: Stage;
let host: OAuthHost;
let directory: OAuthHost;
let live: LiveNetwork;
let user: StagedUser;
const keys = newMasterKey();

beforeEach(async () => {
  stage = await openStage('server');
  host = await startOAuthHost();
  stage.closeAtEnd(() => host.close());
  directory = await startOAuthHost({ pds: host.url });
  stage.closeAtEnd(() => directory.close());
  const { db, connectionString, logged } = stage;
  const log = createLog('info', { write: (line) => logged.push(line) });
  const directories = { ...host.directories(), plcDirectoryUrl: directory.url };
  const options = { keys, directories };
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

test('a directory that is down is named in place of the host, which stays open', async () => {
  await expireSession(stage.db, keys, DID);
  await directory.close();
  await stage.addPost(user, 0);
  const engine = await stage.startEngine(live.network);
  await expect
    .poll(() => stage.db.many(sql`select host, cause from delivery_attempts`))
    .toEqual([{ host: directory.url, cause: 'network_unreachable' }]);
  expect(await lastPost()).toMatchObject({ errorMessage: `Could not reach ${directory.url}` });
  await engine.stop();
  expect(await stage.db.many(sql`select host from hosts`)).toEqual([]);
});

test('once the access has ended posts wait, held, and go out when it is given again', async () => {
  await expireSession(stage.db, keys, DID);
  host.refreshFault = 'refused';
  await stage.addPost(user, 0);
  const { metrics } = await stage.startEngine(live.network);
  await expect.poll(async () => (await lastPost()).hold).toBe('reconnect');
  await expect
    .poll(() => metrics.registry.metrics())
    .toMatch(/^meridian_engine_disconnected_total\{state="RECONNECT"\} 1$/m);
  expect(await lastPost()).toMatchObject({ status: 'PENDING', cause: 'reconnect' });
  expect(await stateOf()).toBe('RECONNECT');
  expect(host.writes).toEqual([]);
  host.refreshFault = null;
  await connect();
  await stage.untilOpen(0);
  expect(await lastPost()).toMatchObject({ status: 'COMPLETED', hold: null });
  expect(host.writes).toHaveLength(1);
});
