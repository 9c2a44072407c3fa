import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { sql } from '../../db/sql.ts';
import { cidOfBlob, cidOfRecord, newRkey } from '../identity.ts';
import type { Account, BlobRef, NetworkResponse, PostRecord } from '../network.ts';
import { createLocalNetwork, localNetworkPlugin } from './local-network.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');
let serial = 0;
const newAccount = (): Account => {
  serial += 1;
  const did = `did:plc:local${String(serial).padStart(19, '0')}`;
  return { userId: 'u', did, host: 'local' };
};
const writeOf = (text: string, more: object = {}) => {
  const createdAt = '2026-11-16T12:00:00.000Z';
  const record: PostRecord = { $type: 'app.bsky.feed.post', text, createdAt, ...more };
  return { rkey: newRkey(), cid: cidOfRecord(record), record };
};
const withImage = (image: BlobRef) =>
  writeOf('', { embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: '' }] } });
const refused = (error: string) => ({ kind: 'response', status: 400, error });
const hasCommit = (response: NetworkResponse) =>
  response.kind === 'response' && Object.hasOwn(response.body ?? {}, 'commit');

describe.each(EITHER)('on the %s database', (engine) => {
  const app = setUpApp(engine);
  const network = () => createLocalNetwork(app.db);

  test('a repeated put changes nothing, another record under its key is refused', async () => {
    const account = newAccount();
    const write = writeOf('Once');
    const first = await network().putRecord(account, write);
    const uri = `at://${account.did}/app.bsky.feed.post/${write.rkey}`;
    expect(first).toMatchObject({ status: 200, body: { uri, cid: write.cid } });
    expect(hasCommit(first)).toBe(true);
    const second = await network().putRecord(account, write);
    expect(second).toMatchObject({ status: 200, body: { uri, cid: write.cid } });
    expect(hasCommit(second)).toBe(false);
    const other = await network().putRecord(account, { ...writeOf('Twice'), rkey: write.rkey });
    expect(other).toMatchObject({
      ...refused('InvalidSwap'),
      message: `Record was at ${write.cid}`,
    });
    const stored = await network().getRecord('local', account.did, write.rkey);
    expect(stored).toMatchObject({ status: 200, body: { cid: write.cid, value: write.record } });
  });

  test('of eight puts at once, one commits', async () => {
    const account = newAccount();
    const write = writeOf('Raced');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => network().putRecord(account, write)),
    );
    expect(responses.every((one) => one.kind === 'response' && one.status === 200)).toBe(true);
    expect(responses.filter(hasCommit)).toHaveLength(1);
  });

  test('applyWrites stores all records or none', async () => {
    const account = newAccount();
    const [one, two, three] = [writeOf('1'), writeOf('2'), writeOf('3')];
    const first = await network().applyWrites(account, [one, two]);
    expect(first).toMatchObject({
      status: 200,
      body: { results: [{ cid: one.cid }, { cid: two.cid }] },
    });
    const again = await network().applyWrites(account, [three, two]);
    expect(again).toMatchObject({ status: 500, error: 'InternalServerError' });
    const missing = await network().getRecord('local', account.did, three.rkey);
    expect(missing).toMatchObject(refused('RecordNotFound'));
  });

  test('a record the network would refuse is refused in its words', async () => {
    const long = await network().putRecord(newAccount(), writeOf('x'.repeat(301)));
    expect(long).toMatchObject(refused('InvalidRequest'));
    expect(long).toHaveProperty(
      'message',
      'Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got 301) at $.record.text',
    );
  });

  test('an image has to be uploaded to the same account first', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const image = {
      $type: 'blob',
      ref: { $link: cidOfBlob(PNG) },
      mimeType: 'image/png',
      size: PNG.length,
    } as const;
    const uploaded = await network().uploadBlob(account, PNG, 'application/octet-stream');
    expect(uploaded).toMatchObject({ status: 200, body: { blob: image } });
    const write = withImage(image);
    expect(await network().putRecord(other, write)).toMatchObject(refused('BlobNotFound'));
    expect(await network().putRecord(account, write)).toMatchObject({ status: 200 });
    const [row] = await app.db.many(sql`
      select is_referenced from local_blobs where did = ${account.did}`);
    expect(row).toEqual({ is_referenced: true });
  });

  test('text that PostgreSQL cannot hold as such is stored as it was sent', async () => {
    const account = newAccount();
    const write = writeOf('NUL \u0000 and half a pair \ud83d');
    expect(await network().putRecord(account, write)).toMatchObject({ status: 200 });
    const stored = await network().getRecord('local', account.did, write.rkey);
    expect(stored).toMatchObject({ body: { value: write.record } });
  });
});

test('without its database it has no response instead of an error', async () => {
  const app = await startTestApp('server');
  await app.db.close();
  const network = createLocalNetwork(app.db);
  const response = await network.putRecord(newAccount(), writeOf('Lost'));
  expect(response).toEqual({ kind: 'no_response', reason: 'cut', status: null });
  await app.close().catch(() => {});
});

const link = (uri: string) => ({ $type: 'app.bsky.richtext.facet#link', uri });

const facet = (byteStart: number, byteEnd: number, feature: object) => ({
  index: { byteStart, byteEnd },
  features: [feature],
});

describe('local network.plugin', () => {
  const DID = 'did:plc:pluginaaaaaaaaaaaaaaaaaa';
  const createdAt = '2026-11-16T12:00:00.000Z';
  let app: TestApp;
  let server: FastifyInstance;
  beforeAll(async () => {
    app = await startTestApp('server');
    await insertUser(app.db, { did: DID, handle: 'plugin.test' });
    server = fastify();
    await localNetworkPlugin(server, { db: app.db, imageSources: ['https://images.example'] });
  });
  afterAll(async () => {
    await server.close();
    await app.close();
  });

  const publish = async (did: string, text: string, more: object = {}) => {
    const record = { $type: 'app.bsky.feed.post', text, createdAt, ...more } as const;
    const rkey = newRkey();
    const account = { userId: 'u', did, host: 'local' };
    const response = await createLocalNetwork(app.db).putRecord(account, { rkey, cid: '', record });
    expect(response).toMatchObject({ status: 200 });
    return rkey;
  };
  const get = (path: string) => server.inject({ url: `/local-network${path}` });

  describe('the public pages', () => {
    const HOSTILE = '<img src=x onerror=alert(1)>"\'</p><script>alert(2)</script>';
    test('the newest post comes first, with its author', async () => {
      const did = 'did:plc:orderaaaaaaaaaaaaaaaaaaa';
      await insertUser(app.db, { did, handle: 'order.test', display_name: 'Order' });
      await publish(did, 'The older one');
      await publish(did, 'The newer one');
      for (const path of ['/', `/profile/${did}`]) {
        const { statusCode, headers, body } = await get(path);
        expect(statusCode).toBe(200);
        expect(headers['content-security-policy']).toContain("script-src 'self'");
        expect(body).toContain('nothing leaves this machine');
        expect(body).toMatch(/@order\.test[^]*The newer one[^]*@order\.test[^]*The older one/);
      }
    });

    test('a post has a page of its own, also when its author was deleted', async () => {
      const did = 'did:plc:deletedaaaaaaaaaaaaaaaaa';
      const rkey = await publish(did, 'Still public');
      const { statusCode, body } = await get(`/profile/${did}/post/${rkey}`);
      expect(statusCode).toBe(200);
      expect(body).toContain('Still public');
      expect(body).toContain(`at://${did}/app.bsky.feed.post/${rkey}`);
      expect((await get(`/profile/${did}`)).body).toContain('Still public');
    });

    test('markup in a record or a name is text', async () => {
      const did = 'did:plc:hostileaaaaaaaaaaaaaaaaa';
      await insertUser(app.db, { did, display_name: HOSTILE, avatar: 'javascript:alert(3)' });
      const embed = {
        $type: 'app.bsky.embed.external',
        external: { uri: 'https://example.test/', title: HOSTILE, description: HOSTILE },
      };
      const rkey = await publish(did, HOSTILE, { embed });
      for (const path of ['/', `/profile/${did}`, `/profile/${did}/post/${rkey}`]) {
        const { body } = await get(path);
        expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;');
        expect(body).not.toMatch(/<img src=x|<script>alert|javascript:/);
      }
    });

    test('facets become links; one that no browser should follow stays text', async () => {
      const did = 'did:plc:facetsaaaaaaaaaaaaaaaaaa';
      const rkey = await publish(did, 'Menü hier oder dort', {
        facets: [
          facet(0, 5, link('https://example.test/menu?a=1&b=2')),
          facet(6, 10, link('javascript:alert(1)')),
          facet(16, 20, { $type: 'app.bsky.richtext.facet#mention', did: DID }),
        ],
      });
      const { body } = await get(`/profile/${did}/post/${rkey}`);
      expect(body).toContain('<a href="https://example.test/menu?a=1&amp;b=2" target="_blank"');
      expect(body).toContain('>Menü</a> <span class="host">(example.test)</span> hier oder <a');
      expect(body).toContain(
        `<a href="/local-network/profile/${encodeURIComponent(DID)}">dort</a>`,
      );
    });

    test('a card is in the language of its post, which may have none', async () => {
      const did = 'did:plc:languageaaaaaaaaaaaaaaaa';
      const external = { uri: 'https://mer.example/', title: 'La mer', description: 'Les marées' };
      const embed = { $type: 'app.bsky.embed.external', external };
      const pageOf = async (langs?: string[]) => {
        const rkey = await publish(did, 'Au bord', { embed, ...(langs && { langs }) });
        return (await get(`/profile/${did}/post/${rkey}`)).body;
      };
      const body = await pageOf(['fr']);
      expect(body).toContain('<strong dir="auto" lang="fr">La mer</strong>');
      expect(body).toContain('<span dir="auto" lang="fr">Les marées</span>');
      expect(body).toContain('<span class="host">mer.example</span>');
      expect((await pageOf()).match(/lang="[^"]*"/g)).toEqual(['lang="en"']);
    });

    test('pictures come from the local network, avatars from allowed hosts only', async () => {
      const did = 'did:plc:picturesaaaaaaaaaaaaaaaa';
      await insertUser(app.db, { did, avatar: 'https://images.example/a.png' });
      const network = createLocalNetwork(app.db);
      const bytes = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
      await network.uploadBlob({ userId: 'u', did, host: 'local' }, bytes, 'image/png');
      const cid = cidOfBlob(bytes);
      const image = {
        $type: 'blob',
        ref: { $link: cid },
        mimeType: 'image/png',
        size: bytes.length,
      };
      const rkey = await publish(did, 'A picture', {
        embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: 'A harbour' }] },
        langs: ['en-GB'],
      });
      const { body } = await get(`/profile/${did}/post/${rkey}`);
      const [, source = ''] =
        /<img src="(\/local-network[^"]+)" alt="A harbour" lang="en-GB"/.exec(body) ?? [];
      const blob = await server.inject({ url: source.replaceAll('&amp;', '&') });
      expect([blob.headers['content-type'], blob.rawPayload]).toEqual(['image/png', bytes]);
      expect(body).toContain('<img src="https://images.example/a.png" alt=""');
      await insertUser(app.db, { did: `${did}b`, avatar: 'https://elsewhere.example/b.png' });
      expect((await get(`/profile/${did}b`)).body).not.toContain('elsewhere');
    });

    test.each(['/profile/did:plc:unknownaaaaaaaaaaaaaaaaa', '/profile/x/post/y', '/profile/%00'])(
      '%s is not found',
      async (path) => {
        const { statusCode, body } = await get(path);
        expect(statusCode).toBe(404);
        expect(body).toContain('<h1>Not found</h1>');
      },
    );

    test.each(['timeline.css', 'timeline.js'])('%s is served', async (name) => {
      const { statusCode, headers } = await get(`/${name}`);
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toMatch(/^text\/(css|javascript); charset=utf-8$/);
    });
  });
});
