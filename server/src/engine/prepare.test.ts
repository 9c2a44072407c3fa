import { operatorSentence } from '@meridian/contract/causes';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import corpus from '../../../demo/data/posts-corpus.json' with { type: 'json' };
import { cidOfBlob, cidOfRecord, recordKey } from '../network/identity.ts';
import type { NetworkResponse } from '../network/network.ts';
import { DID, NOW, png, postOf, prepared, recordOf } from './testing/preparing.ts';
import type { Around } from './testing/preparing.ts';
import { responded, silent } from './testing/responses.ts';

const image = (key: string, more: object = {}) => ({ key, alt: 'A cat', ...more });
const imagesOf = (...images: unknown[]) => ({ $type: 'app.bsky.embed.images', images });
const card = (more: object = {}) => ({
  $type: 'app.bsky.embed.external',
  external: { uri: 'https://a.example/x', title: 'T', description: '', ...more },
});
const CID = 'bafyreigc6c3lu3ubatgvwd5yxt3qb7yos6nnkn3y4atgc5z2o3ax6ydvbq';
const BLOB_CID = 'bafkreigc6c3lu3ubatgvwd5yxt3qb7yos6nnkn3y4atgc5z2o3ax6ydvbq';
const blobRef = { $type: 'blob', ref: { $link: BLOB_CID }, mimeType: 'image/png', size: 197 };
const OTHER = 'did:plc:rfhmz4vlkgeroflo2k2sbzem';
const PARENT = `at://${OTHER}/app.bsky.feed.post/3kparent`;
const ROOT = { uri: `at://${OTHER}/app.bsky.feed.post/3kroot`, cid: CID };
const withParent = (response: NetworkResponse): Around => ({
  records: { [`pds.example ${OTHER} 3kparent`]: response },
});
const found = (value: object) => responded(200, null, { uri: PARENT, cid: CID, value });

describe('the record of a post', () => {
  test('text alone', async () => {
    const result = await prepared({ content: 'Hello', languages: ['en'] });
    const record = {
      $type: 'app.bsky.feed.post',
      text: 'Hello',
      langs: ['en'],
      createdAt: '2026-11-16T13:00:00.000Z',
    };
    expect(result).toEqual({
      kind: 'ready',
      writes: [{ rkey: expect.any(String), cid: cidOfRecord(record), record }],
      uploads: [],
    });
  });

  test('its keys are those that its id gives, whenever it is prepared', async () => {
    const thread = [{ content: 'Second' }, { content: 'Third' }];
    const keysAt = async (now: number) => {
      const result = await prepared({ thread }, { now });
      return result.kind === 'ready' ? result.writes.map(({ rkey }) => rkey) : [];
    };
    const { id } = postOf({});
    const keys = [0, 1, 2].map((part) => recordKey(id, part));
    expect(await keysAt(NOW)).toEqual(keys);
    expect(await keysAt(NOW + 7_200_000)).toEqual(keys);
  });

  test.each([
    [-5000, 0],
    [60_000, 0],
    [60_001, 60_001],
  ])('sent %i ms after its time it is dated %i ms after it', async (lateMs, datedMs) => {
    const record = await recordOf({}, { now: NOW + lateMs });
    expect(record?.createdAt).toBe(new Date(NOW + datedMs).toISOString());
  });

  test('three languages at most, each once, and no invalid one', async () => {
    const languages = ['en', 'not a tag', 'en', 'pt-BR', '', 'ja', 'de'];
    expect(await recordOf({ languages })).toMatchObject({ langs: ['en', 'pt-BR', 'ja'] });
    expect(await recordOf({ languages: ['x y'] })).not.toHaveProperty('langs');
  });

  test.each([
    ['words', ['sexual', '', 7]],
    ['the form of the network', { values: [{ val: 'sexual' }, { val: '' }, null] }],
  ])('labels as %s', async (_, labels) => {
    expect(await recordOf({ embed: { labels } })).toMatchObject({
      labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'sexual' }] },
    });
    expect(await recordOf({ embed: { labels } })).not.toHaveProperty('embed');
  });
});

describe('pictures', () => {
  const bytes = png();
  const ref = { $type: 'blob', ref: { $link: cidOfBlob(bytes) }, mimeType: 'image/png', size: 64 };
  const upload = { bytes, mimeType: 'image/png', cid: cidOfBlob(bytes) };

  test('are typed by content and uploaded once each', async () => {
    const aspectRatio = { width: 4, height: 3 };
    const embed = imagesOf(
      image('a.jpg', { aspectRatio }),
      { image: { key: 'b.svg' }, aspectRatio: { width: 1.5, height: 0 } },
      { image: blobRef, alt: '' },
    );
    const result = await prepared({ embed }, { stored: { 'a.jpg': bytes, 'b.svg': bytes } });
    expect(result).toMatchObject({
      writes: [
        {
          record: {
            embed: {
              $type: 'app.bsky.embed.images',
              images: [
                { image: ref, alt: 'A cat', aspectRatio },
                { image: ref, alt: '' },
                { image: blobRef, alt: '' },
              ],
            },
          },
        },
      ],
      uploads: [upload],
    });
  });

  test('the fields of a link card by themselves', async () => {
    const { external } = card();
    expect(await prepared({ embed: external })).toMatchObject({
      writes: [{ record: { embed: card() } }],
    });
  });

  test.each(['ogp-cache/a.webp', { key: 'ogp-cache/a.webp' }])(
    'the picture of a link card stored as %o',
    async (thumb) => {
      const stored = { 'ogp-cache/a.webp': bytes };
      expect(await prepared({ embed: card({ thumb }) }, { stored })).toMatchObject({
        writes: [
          {
            record: {
              embed: {
                $type: 'app.bsky.embed.external',
                external: { uri: 'https://a.example/x', title: 'T', description: '', thumb: ref },
              },
            },
          },
        ],
        uploads: [upload],
      });
    },
  );
});

describe('what is not sent', () => {
  const stored = {
    'text.png': Buffer.from('<svg/>'),
    'large.png': png(2_000_001),
    'thumb.png': png(1_000_001),
    'down.png': null,
  };
  test.each<[string, Parameters<typeof prepared>[0], string]>([
    ['301 characters', { content: 'é'.repeat(301) }, 'failed too_long: 301 characters'],
    ['3,000 bytes', { content: '👩‍👩‍👧‍👦'.repeat(121) }, 'failed too_long: 3025 bytes'],
    [
      'a part of a thread without a text',
      { thread: [null] },
      'failed invalid_record A post of the thread has no text',
    ],
    ['a long part of a thread', { thread: [{ content: 'x'.repeat(301) }] }, 'failed too_long: 301'],
    ['5 pictures', { embed: imagesOf(1, 2, 3, 4, 5) }, 'failed too_many_images: 5'],
    ['a lost picture', { embed: imagesOf(image('gone.png')) }, 'failed media_missing gone.png'],
    ['a key that is none', { embed: imagesOf(image('../etc')) }, 'failed media_missing ../etc'],
    ['no source', { embed: imagesOf({ alt: 'x' }) }, 'failed media_missing'],
    ['no picture', { embed: imagesOf(image('text.png')) }, 'failed image_type text.png'],
    [
      'another blob',
      { embed: imagesOf({ ...blobRef, mimeType: 'text/html' }) },
      'failed image_type',
    ],
    ['over 2 MB', { embed: imagesOf(image('large.png')) }, 'failed image_too_large large.png'],
    ['a card picture over 1 MB', { embed: card({ thumb: 'thumb.png' }) }, 'failed image_too_large'],
    ['a store that is down', { embed: imagesOf(image('down.png')) }, 'retry internal'],
    ['video', { embed: { $type: 'app.bsky.embed.video' } }, 'failed invalid_record Video is not'],
    ['a new embed', { embed: { $type: 'app.bsky.embed.new' } }, 'failed invalid_record The embed'],
    ['pictures that are no list', { embed: { images: {} } }, 'failed invalid_record Its pictures'],
    ['a gallery that is no list', { embed: { items: 'a.png' } }, 'failed invalid_record Its'],
    ['a card that is a text', { embed: { external: 'x' } }, 'failed invalid_record Its link card'],
    ['a card to a script', { embed: card({ uri: 'javascript:x' }) }, 'failed invalid_record'],
    ['a quote of no address', { embed: { record: {} } }, 'failed invalid_record The quoted'],
    ['a quote of no post', { embed: { record: { uri: 'at://x' } } }, 'failed invalid_record What'],
    ['a reply to no post', { replyTo: 'https://a.example' }, 'failed invalid_record What'],
    ['a reply to a lost post', { replyTo: PARENT }, `failed parent_gone ${PARENT}`],
    ['a quote of a lost post', { embed: { record: { uri: PARENT } } }, 'failed parent_gone'],
  ])('%s', async (_, fields, expected) => {
    const result = await prepared(fields, { stored });
    if (result.kind === 'ready') throw new Error('It is ready');
    const { kind, cause, facts } = result;
    const detail = facts.key ?? facts.uri ?? facts.reason;
    const words = [kind, facts.count === undefined ? cause : `${cause}:`];
    expect([...words, facts.count, facts.unit, detail].filter(Boolean).join(' ')).toContain(
      expected,
    );
    expect(operatorSentence(cause, facts)).toMatch(/^\p{Lu}/u);
  });
});

describe('references', () => {
  test('a reply joins the thread of its parent', async () => {
    const parent = { uri: PARENT, cid: CID };
    expect(await recordOf({ replyTo: PARENT }, withParent(found({})))).toMatchObject({
      reply: { root: parent, parent },
    });
    const inThread = found({ reply: { root: { ...ROOT, more: 1 }, parent: ROOT } });
    expect(await recordOf({ replyTo: PARENT }, withParent(inThread))).toMatchObject({
      reply: { root: ROOT, parent },
    });
    for (const uri of [
      'javascript:x',
      ROOT.uri.replace('plc', '\0'),
      ROOT.uri.replace('plc', '\ud800'),
    ]) {
      const hostile = found({ reply: { root: { uri, cid: CID } } });
      expect(await recordOf({ replyTo: PARENT }, withParent(hostile))).toMatchObject({
        reply: { root: parent, parent },
      });
    }
  });

  test('a quote has the CID that the host names, alone or beside pictures', async () => {
    const quote = { $type: 'app.bsky.embed.record', record: { uri: PARENT, cid: CID } };
    const stale = { uri: PARENT, cid: 'bafyold' };
    expect(
      await recordOf({ embed: { $type: 'x', record: stale } }, withParent(found({}))),
    ).toMatchObject({ embed: quote });
    const media = imagesOf({ image: blobRef, alt: '' });
    const embed = { $type: 'x', record: { record: stale }, media };
    expect(await recordOf({ embed }, withParent(found({})))).toMatchObject({
      embed: { $type: 'app.bsky.embed.recordWithMedia', record: quote, media },
    });
  });

  test.each<[NetworkResponse, string]>([
    [responded(502), 'retry host_down'],
    [responded(429, 'RateLimitExceeded'), 'retry rate_limited_host'],
    [responded(401, 'AuthMissing'), 'retry host_down'],
    [responded(200, null, { cid: '<script>' }), 'retry host_down'],
    [silent('timeout'), 'retry host_slow'],
    [silent('unreachable'), 'retry network_unreachable'],
    [responded(400, 'RepoTakendown'), 'failed parent_gone'],
    [responded(400, 'InvalidRequest'), 'failed parent_gone'],
    [responded(502, 'InvalidRequest'), 'retry host_down'],
  ])('%o', async (response, expected) => {
    const result = await prepared({ replyTo: PARENT }, withParent(response));
    expect(result.kind !== 'ready' && `${result.kind} ${result.cause}`).toBe(expected);
  });
});

test('a thread: each post replies to the one before, under the first', async () => {
  const thread = [{ content: 'Two', languages: ['en'] }, { content: 'Three' }];
  const result = await prepared({ content: 'One', thread });
  if (result.kind !== 'ready') throw new Error('It is not ready');
  const { writes } = result;
  const [root, second] = writes.map(({ rkey, cid }) => ({
    uri: `at://${DID}/app.bsky.feed.post/${rkey}`,
    cid,
  }));
  expect(writes.map(({ record }) => [record.text, record.createdAt, record['reply']])).toEqual([
    ['One', '2026-11-16T13:00:00.000Z', undefined],
    ['Two', '2026-11-16T13:00:00.001Z', { root, parent: root }],
    ['Three', '2026-11-16T13:00:00.002Z', { root, parent: second }],
  ]);
  expect(writes.map(({ cid }) => cid)).toEqual(writes.map(({ record }) => cidOfRecord(record)));
  expect(writes.map(({ rkey }) => rkey)).toEqual(writes.map(({ rkey }) => rkey).toSorted());
});

/** What becomes of each post of the corpus; its pictures with a key are in the store. */
const ENDS: Record<string, string> = {
  '01': 'ready',
  '02': 'ready',
  '04': 'ready',
  '05': 'ready',
  '08': 'media_missing',
  '09': 'ready',
  '10': 'ready',
  '11': 'media_missing',
};

const link = (byteStart: number, byteEnd: number, uri: string) => ({
  index: { byteStart, byteEnd },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
});

describe('the awkward posts', () => {
  const stored = {
    'uploads/2026/11/busan 3#사진.png': png(),
    'ogp-cache/3f/9a1c77d2e05b4c.webp': png(),
  };
  test.each(corpus.posts.map((post) => [post.id.slice(-2), post] as const))(
    '%s',
    async (id, post) => {
      const { content, facets, embed, languages } = post;
      const result = await prepared({ content, facets, embed, languages }, { stored });
      expect(result.kind === 'ready' ? 'ready' : result.cause).toBe(ENDS[id]);
    },
  );

  test('only well-formed facets with a safe target are published', async () => {
    const facets = [
      link(6, 11, 'https://a.example'),
      link(0, 5, 'javascript:alert(1)'),
      link(0, 5, 'https://user:word@a.example/'),
      link(8, 20, 'https://overlap.example/'),
      {
        index: { byteStart: 0, byteEnd: 5 },
        features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'x'.repeat(65) }],
      },
      null,
    ];
    expect(await recordOf({ content: 'Hello world', facets })).toMatchObject({
      facets: [
        {
          index: { byteStart: 6, byteEnd: 11 },
          features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://a.example/' }],
        },
      ],
    });
  });
});

test('any content ends in a record within the limits or in a cause', async () => {
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 4 });
  const content = fc.oneof(
    { arbitrary: fc.string({ unit: 'binary' }), weight: 9 },
    { arbitrary: fc.string({ minLength: 290, maxLength: 310 }), weight: 1 },
  );
  const picture = fc.record(
    { key: anything, alt: anything, image: anything },
    { requiredKeys: [] },
  );
  const embed = fc.oneof(
    anything,
    fc.record(
      {
        $type: fc.oneof(fc.constantFrom('app.bsky.embed.images'), anything),
        images: fc.oneof(fc.array(picture, { maxLength: 6 }), anything),
        external: fc.oneof(
          anything,
          fc.record({
            uri: fc.constant('https://a.example'),
            title: anything,
            description: anything,
          }),
        ),
        record: anything,
        media: anything,
        labels: anything,
      },
      { requiredKeys: [] },
    ),
  );
  const part = { content, facets: anything, embed, languages: fc.array(fc.string()) };
  const threadPart = fc.oneof({ arbitrary: fc.record(part), weight: 9 }, anything);
  const post = fc.record({
    ...part,
    replyTo: fc.oneof({ arbitrary: fc.constant(null), weight: 9 }, fc.string()),
    thread: fc.option(fc.array(threadPart, { minLength: 1, maxLength: 3 }), { nil: null }),
  });
  const seen = { ready: 0, failed: 0, retry: 0 };
  await fc.assert(
    fc.asyncProperty(post, async (fields) => {
      const result = await prepared(fields);
      seen[result.kind] += 1;
      if (result.kind !== 'ready') return;
      for (const { record, cid } of result.writes) {
        // As it is sent: whatever JSON would drop or change is not in it.
        const sent: unknown = JSON.parse(JSON.stringify(record));
        expect(sent).toStrictEqual(record);
        expect(cidOfRecord(sent)).toBe(cid);
        expect(Buffer.byteLength(record.text)).toBeLessThanOrEqual(NETWORK_LIMITS.textBytes);
      }
    }),
    { numRuns: 1000 },
  );
  expect(seen.ready).toBeGreaterThan(100);
  expect(seen.failed).toBeGreaterThan(100);
});
