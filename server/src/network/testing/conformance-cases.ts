import { cidOfBlob, cidOfRecord, newRkey } from '../identity.ts';
import { RECORD_CASES } from './conformance-records.ts';
import { AUTH_MISSING, call, CREATED, post, put, REFUSED } from './conformance-requests.ts';
import type { Case, TestHost, TestRequest } from './conformance-requests.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TEXT_FILE = new TextEncoder().encode('Not a picture.');
const OTHER_CID = cidOfRecord({ something: 'else' });

const first = post('First');
const changed = post('Changed');
const cid = cidOfRecord(first);
const keys = Array.from({ length: 11 }, () => newRkey());
const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = ''] = keys;
const [, , , , , , , , , , k = ''] = keys;

const get = (rkey: string, query: Record<string, string> = {}) =>
  call('com.atproto.repo.getRecord', ({ account }) => ({
    query: { repo: account.did, collection: 'app.bsky.feed.post', rkey, ...query },
    token: null,
  }));
const create = (body: object) =>
  call('com.atproto.repo.createRecord', ({ account }) => ({
    json: { repo: account.did, collection: 'app.bsky.feed.post', ...body },
  }));
const apply = (...writes: [rkey: string, value: object][]) =>
  call('com.atproto.repo.applyWrites', ({ account }) => ({
    json: {
      repo: account.did,
      validate: true,
      writes: writes.map(([rkey, value]) => ({
        $type: 'com.atproto.repo.applyWrites#create',
        collection: 'app.bsky.feed.post',
        rkey,
        value,
      })),
    },
  }));
const upload = (bytes: Uint8Array, type: string, more: Partial<TestRequest> = {}) =>
  call('com.atproto.repo.uploadBlob', () => ({ bytes, type, ...more }));
const getBlob = (blobCid: string, did?: string) =>
  call('com.atproto.sync.getBlob', ({ account }) => ({
    query: { did: did ?? account.did, cid: blobCid },
    token: null,
  }));

const blobRef = (bytes: Uint8Array, mimeType: string, size = bytes.length) => ({
  $type: 'blob',
  ref: { $link: cidOfBlob(bytes) },
  mimeType,
  size,
});
const withImage = (image: object) =>
  post('A picture', { embed: { $type: 'app.bsky.embed.images', images: [{ image, alt: '' }] } });
const pictured = withImage(blobRef(PNG, 'image/png'));
const card = post('A card', {
  embed: {
    $type: 'app.bsky.embed.external',
    external: {
      uri: 'https://example.test/',
      title: 'Title',
      description: '',
      thumb: blobRef(PNG, 'image/png'),
    },
  },
});
const untyped = { text: 'Untyped', createdAt: first.createdAt };
const NOT_FOUND = { status: 400, error: 'RecordNotFound' };
const SWAPPED = { status: 400, error: 'InvalidSwap' };
const BROKEN = { status: 500, error: 'InternalServerError' };
const UNKNOWN = 'com.example.note';

const free = newRkey();
const rawPut = (text: string, type = 'application/json') =>
  call('com.atproto.repo.putRecord', () => ({ bytes: new TextEncoder().encode(text), type }));

/** Sessions and bodies: what is refused before a record is looked at. */
const CALL_CASES: Case[] = [
  {
    name: 'putRecord without a session',
    request: put(free, first, null, {}, { token: null }),
    expected: AUTH_MISSING,
  },
  {
    name: 'putRecord with a token of nothing',
    request: put(free, first, null, {}, { token: 'aaaa.bbbb.cccc' }),
    expected: { status: 400, error: 'InvalidToken' },
  },
  {
    name: 'putRecord to the repository of another account',
    request: (host: TestHost) => put(free, first, null, { repo: host.other.did })(host),
    expected: { status: 401, error: 'AuthenticationRequired' },
  },
  {
    name: 'putRecord to an unknown repository',
    request: put(free, first, null, { repo: 'did:plc:zzzzzzzzzzzzzzzzzzzzzzzz' }),
    expected: { status: 403, error: 'AccountNotFound' },
  },
  {
    name: 'createSession with a wrong password',
    request: call('com.atproto.server.createSession', ({ account }) => ({
      json: { identifier: account.did, password: 'wrong' },
      token: null,
    })),
    expected: { status: 401, error: 'AuthenticationRequired' },
  },
  {
    name: 'a body that is no JSON',
    request: rawPut('{"repo":'),
    expected: { status: 400, error: 'SyntaxError' },
  },
  { name: 'a body that is no object', request: rawPut('[]'), expected: REFUSED },
  { name: 'a body of another type', request: rawPut('{}', 'text/plain'), expected: REFUSED },
  { name: 'an empty object', request: rawPut('{}'), expected: REFUSED },
  {
    name: 'a record of more than 1 MB',
    request: put(free, post('Large', { filler: 'x'.repeat(1_000_000) }), null),
    expected: { status: 413, error: 'PayloadTooLargeError' },
  },
  {
    name: 'the key stayed free',
    request: put(free, first, null),
    expected: { ...CREATED, cid: cidOfRecord(first) },
  },
];

/** Each with the response that the reference PDS was seen to give. */
export const CASES: Case[] = [
  { name: 'putRecord on a free key', request: put(a, first, null), expected: { ...CREATED, cid } },
  {
    name: 'putRecord of the same record again',
    request: put(a, first, null),
    expected: { status: 200, hasCommit: false, cid },
  },
  { name: 'putRecord of another record', request: put(a, changed, null), expected: SWAPPED },
  {
    name: 'putRecord of the same record without swapRecord',
    request: put(a, first),
    expected: { status: 200, hasCommit: false, cid },
  },
  { name: 'getRecord', request: get(a), expected: { status: 200, cid } },
  { name: 'getRecord by CID', request: get(a, { cid }), expected: { status: 200, cid } },
  { name: 'getRecord by another CID', request: get(a, { cid: OTHER_CID }), expected: NOT_FOUND },
  { name: 'getRecord of a free key', request: get(b), expected: NOT_FOUND },
  { name: 'getRecord without a key', request: get(''), expected: REFUSED },
  {
    name: 'putRecord without swapRecord on a free key',
    request: put(b, first),
    expected: { ...CREATED, cid },
  },
  {
    name: 'putRecord without swapRecord replaces',
    request: put(b, changed),
    expected: { ...CREATED, cid: cidOfRecord(changed) },
  },
  {
    name: 'putRecord with the stored CID replaces',
    request: put(b, first, cidOfRecord(changed)),
    expected: { ...CREATED, cid },
  },
  {
    name: 'putRecord with another CID',
    request: put(b, changed, OTHER_CID),
    expected: SWAPPED,
  },
  {
    name: 'putRecord with a CID on a free key',
    request: put(c, first, OTHER_CID),
    expected: SWAPPED,
  },
  { name: 'putRecord with no CID at all', request: put(c, first, 'none'), expected: REFUSED },
  {
    name: 'createRecord',
    request: create({ rkey: c, record: first }),
    expected: { ...CREATED, cid },
  },
  { name: 'createRecord again', request: create({ rkey: c, record: first }), expected: BROKEN },
  { name: 'createRecord without a key', request: create({ record: first }), expected: CREATED },
  {
    name: 'applyWrites',
    request: apply([d, first], [e, changed]),
    expected: { ...CREATED, cid },
  },
  { name: 'applyWrites again', request: apply([d, first], [e, changed]), expected: BROKEN },
  {
    name: 'applyWrites with one key taken',
    request: apply([f, first], [e, first]),
    expected: BROKEN,
  },
  { name: 'it wrote nothing', request: get(f), expected: NOT_FOUND },
  {
    name: 'applyWrites with one bad record',
    request: apply([f, first], [g, { ...first, text: 1 }]),
    expected: REFUSED,
  },
  { name: 'it wrote nothing either', request: get(f), expected: NOT_FOUND },
  {
    name: 'applyWrites with one key twice',
    request: apply([f, first], [f, changed]),
    expected: BROKEN,
  },
  {
    name: 'applyWrites with 201 writes',
    request: apply(...Array.from({ length: 201 }, () => [newRkey(), first] as [string, object])),
    expected: REFUSED,
  },
  {
    name: 'listRecords',
    request: call('com.atproto.repo.listRecords', ({ account }) => ({
      query: { repo: account.did, collection: 'app.bsky.feed.post', limit: '2' },
    })),
    expected: { status: 200 },
  },
  {
    name: 'listRecords with a limit of 0',
    request: call('com.atproto.repo.listRecords', ({ account }) => ({
      query: { repo: account.did, collection: 'app.bsky.feed.post', limit: '0' },
    })),
    expected: REFUSED,
  },
  {
    name: 'listRecords of an unknown account',
    request: call('com.atproto.repo.listRecords', () => ({
      query: { repo: 'did:plc:zzzzzzzzzzzzzzzzzzzzzzzz', collection: 'app.bsky.feed.post' },
    })),
    expected: REFUSED,
  },
  {
    name: 'a record without $type gets it',
    request: put(g, untyped, null),
    expected: { ...CREATED, cid: cidOfRecord({ ...untyped, $type: 'app.bsky.feed.post' }) },
  },
  {
    name: 'a record of another type',
    request: put(h, { ...first, $type: 'app.bsky.feed.like' }, null),
    expected: REFUSED,
  },
  { name: 'a key that is no TID', request: put('self', first, null), expected: REFUSED },
  { name: 'a key with a slash', request: put('a/b', first, null), expected: REFUSED },
  {
    name: 'an unknown type with validation',
    request: put(h, { $type: UNKNOWN }, null, { collection: UNKNOWN, validate: true }),
    expected: REFUSED,
  },
  {
    name: 'an unknown type',
    request: put(h, { $type: UNKNOWN, n: 1 }, null, { collection: UNKNOWN, validate: undefined }),
    expected: { ...CREATED, cid: cidOfRecord({ $type: UNKNOWN, n: 1 }) },
  },
  ...RECORD_CASES,
  {
    name: 'an image that was not uploaded',
    request: put(i, pictured, null),
    expected: { status: 400, error: 'BlobNotFound' },
  },
  {
    name: 'uploadBlob',
    request: upload(PNG, 'image/png'),
    expected: { status: 200, cid: cidOfBlob(PNG) },
  },
  { name: 'getBlob before any reference', request: getBlob(cidOfBlob(PNG)), expected: REFUSED },
  {
    name: 'an image of another size',
    request: put(i, withImage(blobRef(PNG, 'image/png', 1)), null),
    expected: { status: 400, error: 'InvalidSize' },
  },
  {
    name: 'an image of another type',
    request: put(i, withImage(blobRef(PNG, 'image/jpeg')), null),
    expected: { status: 400, error: 'InvalidMimeType' },
  },
  {
    name: 'an image',
    request: put(i, pictured, null),
    expected: { ...CREATED, cid: cidOfRecord(pictured) },
  },
  {
    name: 'an image again',
    request: put(i, pictured, null),
    expected: { status: 200, hasCommit: false, cid: cidOfRecord(pictured) },
  },
  { name: 'getBlob', request: getBlob(cidOfBlob(PNG)), expected: { status: 200 } },
  { name: 'getBlob of an unknown blob', request: getBlob(cidOfBlob(TEXT_FILE)), expected: REFUSED },
  {
    name: 'getBlob of an unknown account',
    request: getBlob(cidOfBlob(PNG), 'did:plc:zzzzzzzzzzzzzzzzzzzzzzzz'),
    expected: { status: 400, error: 'RepoNotFound' },
  },
  { name: 'a card with a thumbnail', request: put(j, card, null), expected: CREATED },
  {
    name: 'uploadBlob of text',
    request: upload(TEXT_FILE, 'text/plain'),
    expected: { status: 200, cid: cidOfBlob(TEXT_FILE) },
  },
  {
    name: 'text as an image',
    request: put(k, withImage(blobRef(TEXT_FILE, 'text/plain')), null),
    expected: REFUSED,
  },
  {
    name: 'a picture under a wrong type is known by its bytes',
    request: upload(Buffer.concat([PNG, TEXT_FILE]), 'application/octet-stream'),
    expected: { status: 200 },
  },
  {
    name: 'uploadBlob of more than 5 MiB',
    request: upload(new Uint8Array(5 * 1024 * 1024 + 1), 'image/png'),
    expected: { status: 413, error: 'PayloadTooLarge' },
  },
  {
    name: 'uploadBlob without a session',
    request: upload(PNG, 'image/png', { token: null }),
    expected: AUTH_MISSING,
  },
  ...CALL_CASES,
];
