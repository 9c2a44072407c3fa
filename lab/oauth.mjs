import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAtprotoLoopbackClientMetadata } from '@atproto/oauth-client-node';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { openDatabase } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { createLog } from '../server/src/log.ts';
import { cidOfBlob, cidOfRecord, newRkey } from '../server/src/network/identity.ts';
import { clientMetadataOf } from '../server/src/network/oauth/oauth-client.ts';
import { startRestoring } from '../server/src/network/testing/restoring.ts';
import {
  expireSession,
  newMasterKey,
  openTestLive,
} from '../server/src/network/testing/test-live.ts';
import { consent } from './consent.mjs';
import { createAccount, PASSWORD, startNetwork } from './network.mjs';

/** Access by OAuth at the reference PDS, from the sign-in page to the end of the access. */
const PROCESSES = 8;
const ROUNDS = 25;
const TOKEN_PATH = '/oauth/token';
const HANDLE = 'oauth-alice.test';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const pds = await startNetwork();
const dataDir = await mkdtemp(join(tmpdir(), 'meridian-lab-'));
const embedded = await startEmbeddedDatabase({ dataDir, purpose: 'serve', onNotice() {} });
await migrate(embedded.connection);
const { host: socket, port, user, database } = embedded.connection;
const connectionString = `postgresql://${user}@${encodeURIComponent(socket)}:${port}/${database}`;
const connection = { connectionString };
const db = openDatabase(connection, { onError: (error) => print(String(error)) });
const keys = newMasterKey();
const live = {
  keys,
  directories: { plcDirectoryUrl: pds.directoryUrl, handleResolver: pds.url, allowHttp: true },
  // A PDS reads the metadata of other clients over the internet.
  metadata: buildAtprotoLoopbackClientMetadata({
    scope: clientMetadataOf('https://posts.example.com').scope,
    redirect_uris: ['http://127.0.0.1:9/oauth/callback'],
  }),
};
const log = createLog('error');
const opened = await openTestLive({ db, connection, log }, live);
const { connector, network } = opened;
try {
  const { did } = await createAccount(pds.url, 'oauth-alice');
  const address = await connector.begin(HANDLE, 'our state');
  const connected = await connector.finish(await consent(address, PASSWORD));
  assert.deepEqual([connected.did, connected.handle, connected.state], [did, HANDLE, 'our state']);
  print('Signed in on the consent page of the PDS.');

  const account = { userId: 'u', did, host: connected.host };
  const uploaded = await network.uploadBlob(account, PNG, 'image/png');
  assert.equal(uploaded.body?.blob.ref.$link, cidOfBlob(PNG), JSON.stringify(uploaded));
  const write = writeOf(uploaded.body.blob);
  assert.equal((await network.putRecord(account, write)).body?.cid, write.cid);
  assert.equal((await network.getRecord(account.host, did, write.rkey)).body?.cid, write.cid);
  print('Published a post with an image.');

  await expireSession(db, keys, did);
  assert.equal((await network.putRecord(account, write)).status, 200);
  print(`Refreshed: ${pds.successesOf(TOKEN_PATH) - 1} new token.`);

  await expireSession(db, keys, did);
  pds.fail(TOKEN_PATH);
  const failed = await network.putRecord(account, write);
  assert.deepEqual(failed, { kind: 'no_response', reason: 'unreachable', status: null });
  pds.fail(null);
  assert.equal((await network.putRecord(account, write)).status, 200);
  print('A 502 at the refresh was retried; the account stayed connected.');

  const processes = await startRestoring(PROCESSES, { connectionString, live, account, write });
  let refreshes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await expireSession(db, keys, did);
    const before = pds.successesOf(TOKEN_PATH);
    const responses = await processes.write();
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
    refreshes += pds.successesOf(TOKEN_PATH) - before;
  }
  await processes.stop();
  assert.equal(refreshes, ROUNDS);
  print(
    `${PROCESSES} other processes, ${PROCESSES * ROUNDS} restores of a session that had expired ` +
      `${ROUNDS} times: ${refreshes} refreshes, none lost.`,
  );

  await connector.disconnect(did);
  assert.equal((await network.putRecord(account, write)).error, 'AuthenticationRequired');
  print('Disconnected: nothing is written any more.');
} finally {
  await opened.close();
  await db.close();
  await embedded.stop();
  await pds.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function writeOf(image) {
  const record = {
    $type: 'app.bsky.feed.post',
    text: 'A post with an image',
    createdAt: new Date().toISOString(),
    embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: 'A dot' }] },
  };
  return { rkey: newRkey(), cid: cidOfRecord(record), record };
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
