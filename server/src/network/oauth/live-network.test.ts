import { createPublicKey, verify } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { createTestDatabase } from '../../../test/cluster/test-database.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { createBrowser } from '../../../test/members.ts';
import { tableContents } from '../../../test/table-contents.ts';
import { createClosers } from '../../background-task.ts';
import { readConfig } from '../../config.ts';
import { latestVersion } from '../../db/migrate.ts';
import { sql } from '../../db/sql.ts';
import { createFoundation } from '../../foundation.ts';
import { createLog } from '../../log.ts';
import { createObjectStore } from '../../objects/object-store.ts';
import { masterKeys } from '../../vault/vault.ts';
import { cidOfRecord, newRkey } from '../identity.ts';
import type { PostRecord } from '../network.ts';
import { DID, HANDLE, startOAuthHost } from '../testing/oauth-host.ts';
import type { OAuthHost, RefreshFault } from '../testing/oauth-host.ts';
import { expireSession, newMasterKey, openTestLive } from '../testing/test-live.ts';
import { openLive } from './live-network.ts';
import type { LiveNetwork } from './live-network.ts';

const record: PostRecord = {
  $type: 'app.bsky.feed.post',
  text: 'Hello',
  createdAt: '2026-11-16T12:00:00.000Z',
};
const write = { rkey: newRkey(), cid: cidOfRecord(record), record };
const METRICS_TOKEN = 'metrics-token-of-32-characters-or-more';

describe.each(EITHER)('accounts connected by OAuth (%s)', (engine) => {
  const keys = newMasterKey();
  let host: OAuthHost;
  let api: TestApp;
  let live: LiveNetwork;
  beforeEach(async () => {
    host = await startOAuthHost();
    api = await startTestApp(engine, {
      env: { METRICS_TOKEN },
      openLive: (foundation) => openTestLive(foundation, { directories: host.directories(), keys }),
    });
    live = liveOf(api);
  });
  afterEach(async () => {
    await api.close();
    await host.close();
  });

  const account = () => ({ userId: 'u', did: DID, host: host.url });
  const put = () => live.network.putRecord(account(), write);
  const sessions = () => api.db.many<{ did: string }>(sql`select did from oauth_sessions`);
  async function connect() {
    const address = await live.connector.begin(HANDLE, 'our state');
    return live.connector.finish(host.consent(new URL(given(address))));
  }

  test('a person consents, and posts are written in their name until they disconnect', async () => {
    expect(await connect()).toEqual({
      did: DID,
      handle: HANDLE,
      displayName: 'Alice',
      avatar: expect.stringMatching(/^https:\/\/cdn\.bsky\.app\/img\/avatar\/plain\/did:plc:/),
      host: host.url,
      state: 'our state',
    });
    expect(await put()).toMatchObject({ kind: 'response', status: 200, body: { cid: write.cid } });
    expect(host.writes).toEqual([expect.objectContaining({ repo: DID, swapRecord: null, record })]);
    const picture = new TextEncoder().encode('picture');
    expect(await live.network.uploadBlob(account(), picture, 'image/png')).toMatchObject({
      status: 200,
    });
    expect(host.writes[1]).toEqual(Buffer.from('picture'));
    await live.connector.disconnect(DID);
    expect(host.current).toBeNull();
    expect(await put()).toMatchObject({ status: 401, error: 'AuthenticationRequired' });
    expect(await sessions()).toEqual([]);
  });

  test('the service authenticates by its own key, whose public half it serves', async () => {
    await connect();
    const [metadata, jwks] = await Promise.all(
      ['/oauth/client-metadata.json', '/oauth/jwks.json'].map(async (url) => {
        const { statusCode, body } = await api.app.inject({ url });
        expect(statusCode).toBe(200);
        return JSON.parse(body) as { client_id: string; jwks_uri: string; keys: JsonWebKey[] };
      }),
    );
    expect(metadata).toMatchObject({
      client_id: 'https://posts.example.com/oauth/client-metadata.json',
      redirect_uris: ['https://posts.example.com/oauth/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      scope: 'atproto repo:app.bsky.feed.post?action=create&action=update blob:image/*',
      dpop_bound_access_tokens: true,
    });
    const [key = {}] = given(jwks).keys;
    expect(key).toMatchObject({ alg: 'ES256', key_ops: ['verify'] });
    expect(key).not.toHaveProperty('d');
    const [header, claims, signature] = given(host.tokenRequest.get('client_assertion')).split('.');
    const isValid = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(given(signature), 'base64url'),
    );
    expect(isValid).toBe(true);
  });

  test('a sign-in that is refused, unknown or used twice connects nothing', async () => {
    const { connector } = live;
    expect(await connector.begin('unknown.test', 's')).toBeNull();
    expect(await connector.begin('alice', 's')).toBeNull();
    expect(await connector.begin(`${host.url}/`, 's')).toBeNull();
    const finish = (query: URLSearchParams) =>
      connector.finish(query).then(
        () => 'connected',
        (error: unknown) => Reflect.get(Object(error), 'reason') as unknown,
      );
    const begin = async () => new URL(given(await connector.begin(DID, 's')));
    expect(await finish(host.consent(await begin(), 'deny'))).toBe('refused');
    expect(await finish(new URLSearchParams({ state: 'none', code: 'x' }))).toBe('expired');
    const wrongCode = host.consent(await begin());
    wrongCode.set('code', 'wrong');
    expect(await finish(wrongCode)).toBe('expired');
    const late = host.consent(await begin());
    await api.db.execute(sql`update oauth_states set expires_at = now() - interval '1 second'`);
    expect(await finish(late)).toBe('expired');
    const query = host.consent(await begin());
    expect([await finish(query), await finish(query)]).toEqual(['connected', 'expired']);
    const unreachable = host.consent(await begin());
    await host.close();
    expect(await finish(unreachable)).toBe('unreachable');
    await expect(connector.begin(HANDLE, 's')).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test('a person who has another handle, or has moved, signs in with it at once', async () => {
    await connect();
    host.handle = 'alice.example.test';
    expect(await live.connector.begin(HANDLE, 's')).toBeNull();
    const renamed = new URL(given(await live.connector.begin(host.handle, 's')));
    expect(await live.connector.finish(host.consent(renamed))).toMatchObject({
      did: DID,
      handle: 'alice.example.test',
    });
    const elsewhere = await startOAuthHost();
    host.pds = elsewhere.url;
    const moved = new URL(given(await live.connector.begin(DID, 's')));
    expect(moved.origin).toBe(elsewhere.url);
    expect(await live.network.findHost(DID)).toBe(elsewhere.url);
    await Promise.all([elsewhere.close(), host.close()]);
    expect(await live.network.findHost(DID)).toBeNull();
  });

  test('a handle that cannot be looked up is not taken from a person who is known', async () => {
    const id = await insertUser(api.db, { did: DID, handle: HANDLE });
    const shown = () => api.db.one(sql`select handle from users where id = ${id}`);
    host.knowsHandles = false;
    const browser = createBrowser(api);
    const { redirectTo } = (await browser.begin(DID)).json<{ redirectTo: string }>();
    const query = host.consent(new URL(redirectTo));
    const { headers } = await browser.send({ url: `/oauth/callback?${query.toString()}` });
    expect(headers.location).toBe('/me');
    expect(await shown()).toEqual({ handle: HANDLE });
  });

  test('a host that its owner places in another network is never called', async () => {
    const elsewhere = await startOAuthHost({ pds: 'http://10.0.0.1' });
    const directories = elsewhere.directories();
    const network = await openTestLive(api.context, { directories, keys });
    await expect(network.connector.begin(HANDLE, 's')).rejects.toMatchObject({
      reason: 'unreachable',
    });
    await network.close();
    await elsewhere.close();
  });

  test('a handle is not called unknown while the network cannot be reached', async () => {
    const gone = await startOAuthHost();
    await gone.close();
    const directories = { ...host.directories(), plcDirectoryUrl: gone.url };
    const network = await openTestLive(api.context, { directories, keys });
    await expect(network.connector.begin('unknown.test', 's')).rejects.toMatchObject({
      reason: 'unreachable',
    });
    await network.close();
  });

  test('disconnecting forgets the tokens, also when the host cannot be reached', async () => {
    await connect();
    await host.close();
    await live.connector.disconnect(DID);
    expect(await sessions()).toEqual([]);
    await live.connector.disconnect(DID);
  });

  const TRANSIENT: RefreshFault[] = ['bad gateway', 'html', 'cut'];
  test.each(TRANSIENT)(
    'a refresh that ends in %s is retried, never a reason to connect again',
    async (fault) => {
      await connect();
      await expireSession(api.db, keys, DID);
      host.refreshFault = fault;
      expect(await put()).toEqual({ kind: 'no_response', reason: 'unreachable', status: null });
      // The same when only the host knows that the token has ended.
      host.refreshFault = null;
      await put();
      host.refreshFault = fault;
      host.current = { access: 'another', refresh: given(host.current?.refresh) };
      expect(await put()).toEqual({ kind: 'no_response', reason: 'unreachable', status: null });
      host.refreshFault = null;
      expect(await put()).toMatchObject({ kind: 'response', status: 200 });
      expect(host.refreshes).toBe(2);
      expect(await sessions()).toHaveLength(1);
    },
  );

  test('a host that does not respond to a write may have carried it out', async () => {
    await connect();
    host.cutsWrites = true;
    expect(await put()).toEqual({ kind: 'no_response', reason: 'cut', status: null });
    await host.close();
    expect(await put()).toEqual({ kind: 'no_response', reason: 'unreachable', status: null });
    expect(await sessions()).toHaveLength(1);
  });

  test('only a definite refusal ends the access', async () => {
    await connect();
    await expireSession(api.db, keys, DID);
    host.refreshFault = 'refused';
    expect(await put()).toMatchObject({ status: 401, error: 'AuthenticationRequired' });
    expect(await sessions()).toEqual([]);
    await connect();
    host.refreshFault = null;
    host.refusesTokens = true;
    expect(await put()).toMatchObject({ status: 401, error: 'AuthenticationRequired' });
    expect(await sessions()).toEqual([]);
    expect(api.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test('a key that this process lacks is no reason to connect again', async () => {
    await connect();
    const directories = host.directories();
    const foreign = await openTestLive(api.context, { directories, keys });
    await api.db.execute(sql`update oauth_sessions set key_id = 'another'`);
    // No fault of the host, which takes the posts of others.
    expect(await foreign.network.putRecord(account(), write)).toMatchObject({
      reason: 'unreachable',
      elsewhere: 'the key of its stored session',
    });
    expect(await sessions()).toHaveLength(1);
    await foreign.close();
  });

  test('no token is in the log, the responses, the metrics or another table', async () => {
    await connect();
    await expireSession(api.db, keys, DID);
    for (const fault of ['html', 'bad gateway', null] as const) {
      host.refreshFault = fault;
      await put();
    }
    const urls = ['/oauth/client-metadata.json', '/oauth/jwks.json', '/metrics', '/readyz'];
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const responses = await Promise.all(
      urls.map(async (url) => (await api.app.inject({ url, headers })).body),
    );
    const stored = await tableContents(api.db);
    const everything = [...api.logged, ...responses, stored].join('\n');
    expect(host.tokens.length).toBeGreaterThan(3);
    expect(
      host.tokens.filter((token) => everything.includes(token) || everything.includes(hex(token))),
    ).toEqual([]);
    // What is searched does hold the sessions, as ciphertext.
    expect(stored).toContain(DID);
    expect(api.logged.join('')).toContain('could not be refreshed');
  });
});

const hex = (token: string) => Buffer.from(token).toString('hex');

function liveOf({ context }: TestApp): LiveNetwork {
  return given(context.live);
}

function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('What the test needs is missing');
  return value;
}

describe('open live', () => {
  const PUBLIC_URL = 'https://posts.example.com';
  const KEY = newMasterKey();

  let closers = createClosers();
  let connectionString: string;
  let dataDir: string;
  beforeEach(async () => {
    closers = createClosers();
    const database = await createTestDatabase('embedded');
    closers.add(() => database.drop());
    ({ connectionString } = database);
    dataDir = await mkdtemp(join(tmpdir(), 'meridian-live-'));
    closers.add(() => rm(dataDir, { recursive: true }));
  });
  afterEach(() => closers.closeAll());

  /** The words and the network of a start, or the sentence that it ends with. */
  async function start(env: Record<string, string>) {
    const config = readConfig({ NETWORK: 'live', DATA_DIR: dataDir, ...env });
    const foundation = createFoundation({
      config,
      log: createLog('silent'),
      connection: { connectionString },
      objects: createObjectStore(config.objectStore),
      schemaVersion: await latestVersion(),
    });
    const said: string[] = [];
    try {
      const live = await openLive(foundation, (line) => said.push(line));
      await live.close();
      return { said, jwks: live.jwks };
    } catch (error) {
      return { said, sentence: error instanceof Error ? error.message : error };
    } finally {
      await foundation.close();
    }
  }

  test('the embedded database gets a key at the first start, and keeps it', async () => {
    const first = await start({ PUBLIC_URL });
    expect(first.said).toEqual([
      expect.stringMatching(/^Made .*\/engine-key, the key to the accounts of people; keep a copy/),
    ]);
    expect(await start({ PUBLIC_URL })).toEqual({ said: [], jwks: first.jwks });
    // Another key opens nothing of it; several keys are tried.
    const { id } = masterKeys(KEY)[0];
    const wrong = await start({ PUBLIC_URL, ENGINE_KEY: KEY });
    expect(wrong.sentence).toMatch(
      /^ENGINE_KEY and ENGINE_KEY_FILE lack the key [0-9a-f]{16} that encrypts the access to accounts/,
    );
    expect(wrong.sentence).not.toContain(id);
    expect(wrong.sentence).not.toContain(KEY);
    await rm(join(dataDir, 'engine-key'));
    expect((await start({ PUBLIC_URL })).sentence).toBe(wrong.sentence);
  });

  test('two processes that start at the same time share one client key', async () => {
    const started = await Promise.all(
      Array.from({ length: 4 }, () => start({ PUBLIC_URL, ENGINE_KEY: KEY })),
    );
    expect(new Set(started.map(({ jwks }) => JSON.stringify(jwks))).size).toBe(1);
  });

  test('without PUBLIC_URL, or without a key for a server, it does not start', async () => {
    expect((await start({})).sentence).toMatch(/^NETWORK=live needs PUBLIC_URL, the https address/);
    const DATABASE_URL = 'postgresql://db.example.com/meridian';
    expect((await start({ PUBLIC_URL, DATABASE_URL })).sentence).toMatch(
      /^NETWORK=live with DATABASE_URL needs ENGINE_KEY_FILE or ENGINE_KEY/,
    );
  });
});
