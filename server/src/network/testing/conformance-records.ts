import { cidOfRecord, newRkey } from '../identity.ts';
import { CREATED, post, put, REFUSED } from './conformance-requests.ts';
import type { Case } from './conformance-requests.ts';

const strongRef = {
  uri: 'at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/3mzxw37k5x223',
  cid: cidOfRecord({ quoted: true }),
};
const image = (size = 1_000) => ({
  $type: 'blob',
  ref: { $link: 'bafkreiak4s4ltmbz5grhwmz7wuxolkqrdvfuelego6husyskk44xoppo3y' },
  mimeType: 'image/png',
  size,
});
const images = (items: object[]) => ({ embed: { $type: 'app.bsky.embed.images', images: items } });
const external = (fields: object) => ({
  embed: {
    $type: 'app.bsky.embed.external',
    external: { uri: 'https://example.test/', title: '', description: '', ...fields },
  },
});
const facet = (feature: object, byteStart = 0, byteEnd = 4) => ({
  index: { byteStart, byteEnd },
  features: [feature],
});
const link = (uri: string) => ({ $type: 'app.bsky.richtext.facet#link', uri });
const mention = (did: string) => ({ $type: 'app.bsky.richtext.facet#mention', did });
const quote = { $type: 'app.bsky.embed.record', record: strongRef };

const ACCEPTED: Record<string, object> = {
  '300 graphemes': post('é'.repeat(300)),
  '300 emoji of several code points': post('👍🏽'.repeat(300)),
  'an empty text': post(''),
  'Japanese, Arabic and an emoji': post('予約 نور 🌸'),
  'three languages': post('Text', { langs: ['en', 'ja', 'pt-BR'] }),
  'eight tags': post('Text', { tags: Array.from({ length: 8 }, (_, at) => `tag${at}`) }),
  'a time with an offset': post('Text', { createdAt: '2026-11-16T12:00:00+09:00' }),
  'facets that overlap': post('Text', {
    facets: [facet(link('https://example.test/')), facet(link('https://example.test/b'), 2, 9)],
  }),
  'a facet whose end comes first': post('Text', { facets: [facet(link('https://a.test/'), 4, 1)] }),
  'a link that no browser should follow': post('Text', {
    facets: [facet(link('javascript:alert(1)'))],
  }),
  'a feature of an unknown type': post('Text', { facets: [facet({ $type: 'com.example.bold' })] }),
  'an embed of an unknown type': post('Text', { embed: { $type: 'com.example.map', zoom: 3 } }),
  'a reply': post('Text', { reply: { root: strongRef, parent: strongRef } }),
  'a quote': post('Text', { embed: quote }),
  'a card without a thumbnail': post('Text', external({})),
  'a quote with a card': post('Text', {
    embed: {
      $type: 'app.bsky.embed.recordWithMedia',
      record: { record: strongRef },
      media: external({}).embed,
    },
  }),
  'labels of the author': post('Text', {
    labels: { $type: 'com.atproto.label.defs#selfLabels', values: [{ val: 'graphic-media' }] },
  }),
  'a field that the lexicon does not know': post('Text', { via: { client: 'Meridian', n: -7 } }),
};

const REFUSALS: Record<string, object> = {
  '301 graphemes': post('é'.repeat(301)),
  '3,001 bytes': post('👨‍👩‍👧‍👦'.repeat(121)),
  'no text': { $type: 'app.bsky.feed.post', createdAt: '2026-11-16T12:00:00.000Z' },
  'no time': { $type: 'app.bsky.feed.post', text: 'Text' },
  'a time without a zone': post('Text', { createdAt: '2026-11-16T12:00:00' }),
  'a day as time': post('Text', { createdAt: '2026-11-16' }),
  'four languages': post('Text', { langs: ['en', 'ja', 'de', 'fr'] }),
  'a language that is none': post('Text', { langs: ['not a language'] }),
  'nine tags': post('Text', { tags: Array.from({ length: 9 }, (_, at) => `tag${at}`) }),
  'a tag of 65 graphemes': post('Text', { tags: ['t'.repeat(65)] }),
  'a negative byte index': post('Text', { facets: [facet(link('https://a.test/'), -1, 2)] }),
  'a fraction as byte index': post('Text', { facets: [facet(link('https://a.test/'), 0.5, 2)] }),
  'a relative link': post('Text', { facets: [facet(link('/menu'))] }),
  'a mention without a DID': post('Text', { facets: [facet(mention('@mika.test'))] }),
  'a facet without an index': post('Text', { facets: [{ features: [] }] }),
  'five images': post(
    'Text',
    images(Array.from({ length: 5 }, () => ({ image: image(), alt: '' }))),
  ),
  'an image without alt text': post('Text', images([{ image: image() }])),
  'an image over 2,000,000 bytes': post('Text', images([{ image: image(2_000_001), alt: '' }])),
  'an image as an address': post('Text', images([{ image: 'https://a.test/a.png', alt: '' }])),
  'a blob of the old form': post(
    'Text',
    images([{ image: { cid: image().ref.$link, mimeType: 'image/png' }, alt: '' }]),
  ),
  'an aspect ratio of 0': post(
    'Text',
    images([{ image: image(), alt: '', aspectRatio: { width: 0, height: 1 } }]),
  ),
  'a card without a title': post('Text', external({ title: undefined })),
  'a card without an address': post('Text', external({ uri: '' })),
  'a thumbnail over 1,000,000 bytes': post('Text', external({ thumb: image(1_000_001) })),
  'a thumbnail as an address': post('Text', external({ thumb: 'https://a.test/a.png' })),
  'a reply without a root': post('Text', { reply: { parent: strongRef } }),
  'a reply to no CID': post('Text', {
    reply: { root: strongRef, parent: { ...strongRef, cid: 'none' } },
  }),
  'a quote of no record': post('Text', {
    embed: { ...quote, record: { ...strongRef, uri: 'https://example.test/' } },
  }),
};

/** Records on their own: which of them the lexicon of posts allows. */
export const RECORD_CASES: Case[] = [
  ...Object.entries(ACCEPTED).map(([name, record]) => ({
    name,
    request: put(newRkey(), record, null),
    expected: { ...CREATED, cid: cidOfRecord(record) },
  })),
  ...Object.entries(REFUSALS).map(([name, record]) => ({
    name,
    request: put(newRkey(), record, null),
    expected: REFUSED,
  })),
];
