import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { newRkey } from '../identifiers.ts';
import { createLocalNetwork } from './local-network.ts';
import { localNetworkPlugin } from './local-network.plugin.ts';

const DID = 'did:plc:pluginaaaaaaaaaaaaaaaaaa';
const createdAt = '2026-11-16T12:00:00.000Z';
let app: TestApp;
let server: FastifyInstance;
beforeAll(async () => {
  app = await startTestApp('server');
  await insertUser(app.db, { did: DID, handle: 'plugin.test' });
  server = fastify();
  await localNetworkPlugin(server, { db: app.db });
});
afterAll(async () => {
  await server.close();
  await app.close();
});

const post = (method: string, payload: object, headers: Record<string, string> = {}) =>
  server.inject({ method: 'POST', url: `/local-network/xrpc/${method}`, payload, headers });

test('what the engine published can be read by handle, without a session', async () => {
  const record = { $type: 'app.bsky.feed.post', text: 'Public', createdAt } as const;
  const account = { userId: 'u', did: DID, host: 'local' };
  const rkey = newRkey();
  await createLocalNetwork(app.db).putRecord(account, { rkey, cid: '', record });
  const query = { repo: 'plugin.test', collection: 'app.bsky.feed.post' };
  const list = await server.inject({
    url: '/local-network/xrpc/com.atproto.repo.listRecords',
    query,
  });
  expect(list.json()).toMatchObject({ records: [{ value: record }], cursor: rkey });
  const next = await server.inject({
    url: '/local-network/xrpc/com.atproto.repo.listRecords',
    query: { ...query, cursor: rkey },
  });
  expect(next.json()).toEqual({ records: [] });
});

test('nothing can be written over HTTP, and no session is given', async () => {
  const input = {
    repo: DID,
    collection: 'app.bsky.feed.post',
    rkey: newRkey(),
    record: { text: 'Forged', createdAt },
  };
  const session = await post('com.atproto.server.createSession', { identifier: DID, password: '' });
  expect([session.statusCode, session.json()]).toMatchObject([
    401,
    { error: 'AuthenticationRequired' },
  ]);
  const anonymous = await post('com.atproto.repo.putRecord', input);
  expect([anonymous.statusCode, anonymous.json()]).toMatchObject([401, { error: 'AuthMissing' }]);
  const token = `${Buffer.from(DID).toString('base64url')}.${'a'.repeat(43)}`;
  const forged = await post('com.atproto.repo.putRecord', input, {
    authorization: `Bearer ${token}`,
  });
  expect([forged.statusCode, forged.json()]).toMatchObject([400, { error: 'InvalidToken' }]);
});
