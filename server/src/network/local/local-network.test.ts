import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import { sql } from '../../db/sql.ts';
import { cidOfBlob, cidOfRecord, newRkey } from '../identity.ts';
import type { Account, BlobRef, NetworkResponse, PostRecord } from '../network.ts';
import { createLocalNetwork } from './local-network.ts';

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
