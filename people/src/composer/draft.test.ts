import type { MePost } from '@meridian/contract/me/posts';
import { mePostBody } from '@meridian/contract/me/posts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf, emptyDraft, emptyPart, firstLink, withText } from './draft.ts';
import { createDraftStore, forgetDrafts } from './draft-store.ts';

const USER = 'user-1';
const AT = '2026-11-16T10:00:00.000Z';
const media = { id: 'm', url: '/m', mimeType: 'image/webp', width: 2, height: 1, bytes: 9 };
const card = { uri: 'https://example.org/', title: 'T', description: 'D', media: null };
const post: MePost = {
  id: 'post-1',
  content: 'As it was',
  images: [{ media, alt: 'A cat' }],
  external: null,
  languages: ['de', 'en'],
  replyTo: null,
  quote: 'at://did:plc:a/app.bsky.feed.post/1',
  thread: [{ content: 'Second', images: [], external: card }],
  status: 'PENDING',
  scheduledAt: AT,
  createdAt: AT,
  publishedAt: null,
  url: null,
  sentence: null,
  can: { edit: true, cancel: true, delete: true, retry: false },
  retryOf: null,
  retriedAs: null,
  version: 7,
};

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  vi.stubGlobal('window', { localStorage });
});
afterEach(() => vi.unstubAllGlobals());

const open = () => createDraftStore(USER, 'en');
const type = (store: ReturnType<typeof open>, text: string) =>
  store.change((draft) => ({
    ...draft,
    parts: draft.parts.map((part) => ({ ...part, text })),
  }));
const textOf = (store: ReturnType<typeof open>) => store.get().parts[0]?.text;

describe('what is written', () => {
  test('is there after a reload, and only for the same person', () => {
    type(open(), 'Hello');
    expect(textOf(open())).toBe('Hello');
    expect(textOf(createDraftStore('user-2', 'en'))).toBe('');
  });

  test('keeps its key until it is changed', () => {
    const store = open();
    type(store, 'Hello');
    store.markSent({ key: 'k', at: AT });
    expect(open().get().sent).toEqual({ key: 'k', at: AT });
    type(store, 'Hello!');
    expect(open().get().sent).toBeNull();
  });

  test('is gone once it is a post, in every tab', () => {
    const [here, there] = [open(), open()];
    type(here, 'Hello');
    there.follow({ key: null });
    const [fromHere, fromThere] = [here, there].map((tab) => tab.markSent({ key: 'k', at: AT }));
    if (!fromHere || !fromThere) throw new Error('Both tabs sent it');
    here.settle(fromHere, post);
    expect(stored.size).toBe(0);
    type(here, 'The next one');
    there.follow({ key: null });
    there.settle(fromThere, post);
    expect([textOf(here), textOf(there), textOf(open())]).toEqual(Array(3).fill('The next one'));
  });

  test('after it was sent is a change of the post', () => {
    const store = open();
    type(store, 'Hello');
    const sent = store.markSent({ key: 'k', at: AT });
    type(store, 'Hello, and more');
    store.settle(sent, post);
    expect([...stored.keys()]).toEqual([`meridian_draft:edit:${USER}`]);
    expect(open().get()).toMatchObject({ at: AT, editing: { id: post.id, version: 7 } });
    expect(textOf(store)).toBe('Hello, and more');
    const changes = store.markSent({ key: 'k2', at: AT });
    store.settle(changes, post);
    expect(stored.size).toBe(0);
  });

  test('is gone once it is a post, while another one is being changed', () => {
    const store = open();
    type(store, 'Hello');
    const sent = store.markSent({ key: 'k', at: AT });
    store.edit(post);
    store.settle(sent, { ...post, id: 'post-2' });
    expect(textOf(store)).toBe('As it was');
    store.discard();
    expect(textOf(store)).toBe('');
  });

  test('is the same in another tab', () => {
    const [here, there] = [open(), open()];
    type(here, 'From here');
    there.follow({ key: [...stored.keys()][0] ?? '' });
    expect(textOf(there)).toBe('From here');
    here.discard();
    there.follow({ key: null });
    expect(textOf(there)).toBe('');
  });

  test('leaves nothing behind once it is scheduled, emptied or forgotten', () => {
    const store = open();
    type(store, 'Hello');
    store.discard();
    expect(stored.size).toBe(0);
    type(store, 'Hello');
    type(store, '');
    expect(stored.size).toBe(0);
    type(store, 'Hello');
    store.edit(post);
    forgetDrafts(USER);
    expect(stored.size).toBe(0);
  });

  test('waits while a post is changed', () => {
    const store = open();
    type(store, 'New one');
    store.edit(post);
    expect(textOf(open())).toBe('As it was');
    store.discard();
    expect(textOf(store)).toBe('New one');
  });

  test.each(['', '{', 'null', '[]', '{"parts":[]}', '{"parts":[{"text":1}]}'])(
    'is empty where the storage holds %j',
    (text) => {
      stored.set(`meridian_draft:new:${USER}`, text);
      expect(textOf(open())).toBe('');
    },
  );
});

describe('what is sent', () => {
  test('of a post that was changed is what the person did not touch', () => {
    const store = open();
    store.edit(post);
    const body = bodyOf(store.get(), AT);
    expect(body).toMatchObject({
      content: 'As it was',
      images: [{ mediaId: 'm', alt: 'A cat' }],
      languages: ['de', 'en'],
      quote: post.quote,
      thread: [{ content: 'Second', external: { uri: card.uri, mediaId: null } }],
      scheduledAt: AT,
    });
    expect(mePostBody.parse(body)).toEqual(body);
  });

  test('has pictures or a link preview, not both', () => {
    const draft = emptyDraft('en');
    const part = { id: 'p', text: 'x', card, withoutCard: null };
    const both = { ...draft, parts: [{ ...part, pictures: [{ media, alt: '' }] }] };
    expect(bodyOf(both, AT).external).toBeNull();
    expect(bodyOf({ ...draft, parts: [{ ...part, pictures: [] }] }, AT).external?.title).toBe('T');
  });
});

test.each([
  ['see https://example.org/a.', 'https://example.org/a'],
  ['(http://example.org)', 'http://example.org/'],
  ['https://Example.org:443/ä', 'https://example.org/%C3%A4'],
  ['https://example.org/?q=1&b=2, and more', 'https://example.org/?q=1&b=2'],
  ['See https://example.org/a_(b).', 'https://example.org/a_(b)'],
  ['(see https://example.org/a_(b)), too', 'https://example.org/a_(b)'],
  ['https://example.org/c).', 'https://example.org/c'],
  ['[https://example.org/a?x[1]=2]', 'https://example.org/a?x[1]=2'],
  ['海 https://example.org/a。次へ', 'https://example.org/a'],
  ['「https://example.org/海」！', 'https://example.org/%E6%B5%B7'],
  ['“https://example.org/a”…', 'https://example.org/a'],
  ['Https://example.org/A', 'https://example.org/A'],
  ['no link', null],
  ['https://', null],
])('the first link of %j is %j', (text, link) => {
  expect(firstLink(text)).toBe(link);
});

describe('the card of a text', () => {
  const LINKED = `See ${card.uri}`;
  test.each([
    ['goes as its link is typed on', [`${LINKED}article`], false],
    ['goes with another link in its place', ['See https://other.example/'], false],
    ['goes with the link of another text', ['https://other.example/ is better'], false],
    ['stays with more text', [`Before: ${LINKED} and after`], true],
    ['stays when its link is taken out', ['See '], true],
    ['stays when its link is taken out letter by letter', ['See https://example.', 'See '], true],
    ['stays beside a later link', ['See ', 'See https://other.example/'], true],
    [
      'stays when its link is taken out before another',
      [`${LINKED} https://other.example/`, 'See it: https://other.example/'],
      true,
    ],
  ])('%s', (_, texts, isKept) => {
    const first = { ...withText(emptyPart(), LINKED), card };
    expect(texts.reduce(withText, first).card).toEqual(isKept ? card : null);
  });

  test('is not that of a link beside it which was there before', () => {
    const edited = { ...emptyPart(), text: 'https://other.example/', card };
    expect(withText(edited, 'https://other.example/more').card).toEqual(card);
  });
});
