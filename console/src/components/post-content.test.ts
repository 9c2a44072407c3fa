import { describe, expect, test } from 'vitest';
import { networkPageOf } from '@meridian/contract/network';
import { safeLink } from '@meridian/contract/untrusted';
import corpus from '../../../demo/data/posts-corpus.json';
import {
  hiddenHost,
  imagesOf,
  linkCardOf,
  pictureSource,
  segmentsOf,
  threadOf,
  undrawnOf,
} from './post-content.ts';

type Expectation = {
  about: string;
  segments: { text: string; kind?: string }[];
  issues: string[];
  view_url: string | null;
  images: string[];
  card: { href: string; thumb: string } | null;
};
const expectations = new Map<string, Expectation>(Object.entries(corpus.expectations));

describe('the awkward posts read as expected', () => {
  // Proves 2.87, 2.88
  test.each(corpus.posts.map((post) => ({ post, about: expectations.get(post.id)?.about })))(
    '$about',
    ({ post }) => {
      const expected = expectations.get(post.id);
      const around = {
        did: post.user.did,
        cdnBaseUrl: 'https://cdn.product.test/',
        pageUrl: 'https://console.product.test/posts/1',
        imageSources: [],
      };
      const { segments, issues } = segmentsOf(post.content, post.facets);
      const card = linkCardOf(post.embed, around);
      expect(segments).toEqual(expected?.segments.map((segment) => ({ kind: 'text', ...segment })));
      expect(issues).toEqual(expected?.issues);
      expect(imagesOf(post.embed, around).map(({ src }) => src)).toEqual(expected?.images);
      expect(card && { href: card.href, thumb: card.thumb }).toEqual(expected?.card);
      expect(post.status === 'COMPLETED' ? networkPageOf(post, 'https://bsky.app') : null).toBe(
        expected?.view_url,
      );
    },
  );
});

const link = (byteStart: unknown, byteEnd: unknown, uri: unknown = 'https://a.example/') => ({
  index: { byteStart, byteEnd },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
});

describe('hostile facets', () => {
  const text = 'naïve 👩‍👩‍👧 text';
  test.each([
    ['not a list', 'facets'],
    ['null', null],
    ['entries that are no objects', [null, 1, 'x', [], undefined]],
    ['no index', [{ features: [] }]],
    ['negative', [link(-1, 3)]],
    ['fraction', [link(0.5, 3)]],
    ['text for a number', [link('0', '3')]],
    ['end before start', [link(3, 1)]],
    ['empty', [link(2, 2)]],
    ['past the end from its start on', [link(10_000, 10_001)]],
    ['white space', [link(25, 26)]],
    ['inside a character', [link(0, 3), link(8, 12)]],
    ['script', [link(0, 2, 'javascript:alert(1)')]],
    ['data', [link(0, 2, 'data:text/html,<script>')]],
    ['credentials', [link(0, 2, 'https://good.example@evil.example/')]],
    ['relative', [link(0, 2, '/users')]],
    ['features that are no list', [{ index: { byteStart: 0, byteEnd: 2 }, features: 'x' }]],
    [
      'mention of no DID',
      [
        {
          index: { byteStart: 0, byteEnd: 2 },
          features: [{ $type: 'app.bsky.richtext.facet#mention', did: 'javascript:x' }],
        },
      ],
    ],
    [
      'lone surrogate in a tag',
      [
        {
          index: { byteStart: 0, byteEnd: 2 },
          features: [{ $type: 'app.bsky.richtext.facet#tag', tag: '\ud800' }],
        },
      ],
    ],
  ])('%s: the text stays whole and plain', (_case, facets) => {
    const { segments } = segmentsOf(text, facets);
    expect(segments).toEqual([{ kind: 'text', text }]);
  });

  test.each([
    [[link(0, 2, 'javascript:alert(1)')], 'Facet 1: Refused link target javascript:alert(1)'],
    [[link(0, 2, 7)], 'Facet 1: Refused link target number'],
    [[link(3, 1)], 'Facet 1 dropped (https://a.example/): bytes 3 to 1 are out of range'],
    [[{ index: { byteStart: 0, byteEnd: 2 } }], 'Facet 1 dropped: it has no feature'],
    [[null], 'Facet 1 dropped: it has no valid range'],
    [[link(25, 26)], 'Facet 1 dropped (https://a.example/): its text is white space'],
  ])('%j is not drawn, and named', (facets, issue) => {
    expect(segmentsOf(text, facets).issues).toEqual([issue]);
  });

  test('one that runs past the end reaches to the end, as on the network', () => {
    expect(segmentsOf('naïve text', [link(7, 10_000)])).toEqual({
      segments: [
        { kind: 'text', text: 'naïve ' },
        { kind: 'link', text: 'text', href: 'https://a.example/' },
      ],
      issues: [],
    });
  });

  test('a flood of facets is read only so far, and quickly', () => {
    const facets = Array.from({ length: 50_000 }, (_, index) => link(index % 5, (index % 5) + 1));
    const { segments, issues } = segmentsOf('abcde', facets);
    expect(segments.map((segment) => segment.text).join('')).toBe('abcde');
    expect(issues.length).toBeLessThanOrEqual(101);
  });

  test('an emoji of many parts is cut where its bytes end', () => {
    const before = new TextEncoder().encode('naïve ').length;
    const family = new TextEncoder().encode('👩‍👩‍👧').length;
    expect(segmentsOf(text, [link(before, before + family)]).segments).toEqual([
      { kind: 'text', text: 'naïve ' },
      { kind: 'link', text: '👩‍👩‍👧', href: 'https://a.example/' },
      { kind: 'text', text: ' text' },
    ]);
  });
});

test.each([
  ['https://example.com/a', 'https://example.com/b', null],
  ['example.com', 'https://www.example.com/', null],
  ['Example.COM/path', 'https://example.com/', null],
  ['read more', 'https://evil.example/', null],
  ['bank.example/login', 'https://evil.example/', 'evil.example'],
  ['https://bank.example', 'https://bank.example.evil.example/', 'bank.example.evil.example'],
  ['bank.example', 'https://xn--bnk-5cd.example/', 'xn--bnk-5cd.example'],
  ['click here', 'https://xn--bnk-5cd.example/', 'xn--bnk-5cd.example'],
  ['bank.example:443', 'https://evil.example:8443/', 'evil.example:8443'],
  ['bank.example', 'https://bank.example:444/', 'bank.example:444'],
  ['bank.example:444', 'https://bank.example:444/', null],
  ['bank。example', 'https://evil.example/', 'evil.example'],
  ['bank．example', 'https://evil.example/', 'evil.example'],
  ['bank․example', 'https://evil.example/', 'evil.example'],
  ['ba\u200bnk.example', 'https://evil.example/', 'evil.example'],
  ['see bank.example now', 'https://evil.example/', 'evil.example'],
  ['@alice.bsky.example', 'https://evil.example/', 'evil.example'],
  ['evil.example, not bank.example', 'https://evil.example/', 'evil.example'],
  ['192.0.2.7', 'https://evil.example/', 'evil.example'],
  ['https://example.com/index.html?next=page.html', 'https://example.com/', null],
  ['notes of 2.0.1', 'https://example.com/', null],
])('the text %j on %s shows the host %j', (text, address, host) => {
  const url = safeLink(address);
  expect(url).not.toBeNull();
  expect(url && hiddenHost(text, url)).toBe(host);
});

describe('pictures', () => {
  const around = {
    did: 'did:plc:abcdefghijklmnopqrstuvwx',
    cdnBaseUrl: 'https://cdn.product.test/',
    pageUrl: 'https://console.product.test/posts/1',
    imageSources: [],
  };
  test.each([
    ['data', { url: 'data:image/png;base64,AAAA' }],
    ['script', { thumb: 'javascript:alert(1)' }],
    ['credentials', { blobUrl: 'https://a:b@example.com/a.png' }],
    ['climbing key', { key: '../secret' }],
    ['climbing key within', { key: 'a/../../secret' }],
    ['absolute key', { key: '/etc/passwd' }],
    ['address as key', { key: 'https://evil.example/a.png' }],
    ['backslashes', { key: 'a\\b' }],
    ['bad CID', { image: { ref: { $link: 'bafy/../../x' } } }],
    ['nothing', {}],
    ['null', null],
    ['number', 7],
  ])('%s is not loaded', (_case, picture) => {
    expect(pictureSource(picture, around)).toBeNull();
  });

  test('one without encryption has its address, as it waits for a click', () => {
    const url = 'http://example.com/a.png';
    expect(pictureSource({ url }, around)).toBe(url);
  });

  // Proves 2.89
  test.each([
    ['as a text', 'ogp-cache/ab/1.webp'],
    ['as a key', { key: 'ogp-cache/ab/1.webp' }],
    ['as a thumbnail', { thumb: 'ogp-cache/ab/1.webp' }],
    ['as an address', { url: 'ogp-cache/ab/1.webp' }],
  ])('a cached preview named %s is a key', (_case, picture) => {
    expect(pictureSource(picture, around)).toBe('https://cdn.product.test/ogp-cache/ab/1.webp');
  });

  test.each(['ogp-cache/../secret', 'ogp-cache//a', 'ogp-cache/a\\b'])(
    'the preview %s leads out of its folder and is not loaded',
    (picture) => {
      expect(pictureSource(picture, around)).toBeNull();
    },
  );

  test('a blob reference without an author has no address', () => {
    const cid = 'bafkreiak4s4ltmbz5grhwmz7wuxolkqrdvfuelego6husyskk44xoppo3y';
    const picture = { image: { ref: { $link: cid } } };
    expect(pictureSource(picture, { ...around, did: null })).toBeNull();
    expect(pictureSource(picture, around)).toBe(
      `https://cdn.bsky.app/img/feed_thumbnail/plain/${around.did}/${cid}`,
    );
  });

  test('views, galleries and quotes with media carry pictures too', () => {
    const view = {
      $type: 'app.bsky.embed.images#view',
      images: [
        { thumb: 'https://cdn.example/t.jpg', fullsize: 'https://cdn.example/f.jpg', alt: 'A' },
      ],
    };
    expect(imagesOf(view, around)[0]).toEqual({ src: 'https://cdn.example/t.jpg', alt: 'A' });
    expect(imagesOf({ $type: 'app.bsky.embed.recordWithMedia', media: view }, around)).toHaveLength(
      1,
    );
    expect(imagesOf({ $type: 'app.bsky.embed.gallery', items: view.images }, around)).toHaveLength(
      1,
    );
    expect(imagesOf({ images: Array.from({ length: 500 }, () => ({})) }, around)).toHaveLength(20);
    expect(imagesOf('nonsense', around)).toEqual([]);
  });

  const type = 'app.bsky.embed.external';
  test.each([{}, { $type: type }, { $type: `${type}#main` }, { $type: `${type}#external` }])(
    'the fields of a card by themselves are a card as well, with %j',
    (type) => {
      const card = {
        uri: 'https://a.example/',
        title: 'T',
        description: 'D',
        thumb: 'https://a.example/t.png',
      };
      expect(linkCardOf({ ...type, ...card }, around)).toEqual({ ...card, href: card.uri });
      expect(linkCardOf({ record: {}, media: { ...type, ...card } }, around)?.uri).toBe(card.uri);
    },
  );

  test.each([
    { uri: 'at://did:plc:abc/app.bsky.feed.post/1', cid: 'x' },
    { $type: 'x.y.z', uri: 'https://a.example/' },
    { title: 'No address' },
  ])('%j is no card', (embed) => {
    expect(linkCardOf(embed, around)).toBeNull();
  });

  test('a card with an unsafe address keeps its words and loses its link', () => {
    const card = linkCardOf(
      {
        external: {
          uri: 'javascript:alert(1)',
          title: 'T',
          description: 7,
          thumb: 'data:image/png;base64,AAAA',
        },
      },
      around,
    );
    expect(card).toEqual({
      href: null,
      uri: 'javascript:alert(1)',
      title: 'T',
      description: '',
      thumb: null,
    });
  });
});

test.each([
  [null, []],
  [{ images: [] }, []],
  [{ external: {} }, []],
  [{ external: { uri: 'https://harbour.example/' } }, []],
  [{ uri: 'https://harbour.example/', title: 'Harbour' }, []],
  [{ uri: 'javascript:alert(1)' }, ['Refused link target of the link card: javascript:alert(1)']],
  [
    { external: { uri: 'javascript:alert(1)' } },
    ['Refused link target of the link card: javascript:alert(1)'],
  ],
  [{ $type: 'app.bsky.embed.video', alt: 'A boat' }, ['Video, not shown here: A boat']],
  [{ video: { ref: {} } }, ['Video, not shown here']],
  [
    { $type: 'app.bsky.embed.record', record: { uri: 'at://did:plc:abc/x/1' } },
    ['Quoted post, not shown here: at://did:plc:abc/x/1'],
  ],
  [
    {
      $type: 'app.bsky.embed.recordWithMedia',
      record: { record: { uri: 'at://did:plc:abc/x/1' } },
      media: { $type: 'app.bsky.embed.video#view' },
    },
    ['Quoted post, not shown here: at://did:plc:abc/x/1', 'Video, not shown here'],
  ],
  [{ $type: 'x.y.z' }, ['Unknown embed, not shown here: x.y.z']],
  ['nonsense', ['Unknown embed, not shown here']],
  [
    { images: Array.from({ length: 30 }, () => null) },
    ['Only the first 20 of 30 images are shown'],
  ],
])('of the embed %j is not drawn: %j', (embed, notes) => {
  expect(undrawnOf(embed)).toEqual(notes);
});

test.each([
  [undefined, []],
  [null, []],
  ['a thread', []],
  [{ content: 'Not in a list' }, []],
  [
    [null, 7, { content: 3 }],
    ['', '', ''],
  ],
  [
    [{ content: 'Second' }, { content: 'Third', embed: {} }],
    ['Second', 'Third'],
  ],
])('%j is a thread of %j', (thread, contents) => {
  expect(threadOf(thread).map(({ content }) => content)).toEqual(contents);
});

test('is no longer than the network allows', () => {
  expect(threadOf(Array.from({ length: 60 }, () => ({ content: 'One' })))).toHaveLength(24);
});
