import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type MePost, mePostBody } from '@meridian/contract/me/posts';
import { createDraftStore, forgetDrafts } from './draft-store.ts';
import {
  bodyOf,
  cardOf,
  draftOf,
  emptyDraft,
  emptyPart,
  firstLink,
  limitsOf,
  linkWithoutCard,
  problemOf,
} from './draft.ts';

const MEMBER = 'member-1';
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

const open = () => createDraftStore(MEMBER, 'en');
const type = (store: ReturnType<typeof open>, text: string) =>
  store.change((draft) => ({
    ...draft,
    parts: draft.parts.map((part) => ({ ...part, text })),
  }));
const send = (store: ReturnType<typeof open>, key = 'k') =>
  store.markSent(store.get(), { key, at: AT });
const textOf = (store: ReturnType<typeof open>) => store.get().parts[0]?.text;

describe('what is written', () => {
  test('is there after a reload, and only for the same member', () => {
    type(open(), 'Hello');
    expect(textOf(open())).toBe('Hello');
    expect(textOf(createDraftStore('member-2', 'en'))).toBe('');
  });

  test('keeps its key until it is changed', () => {
    const store = open();
    type(store, 'Hello');
    store.giveBack(send(store), false);
    expect(open().get().sent).toEqual({ key: 'k', at: AT });
    type(store, 'Hello!');
    expect(open().get().sent).toBeNull();
  });

  test('is gone once it is a post, in every tab', () => {
    const [here, there] = [open(), open()];
    type(here, 'Hello');
    there.follow({ key: null });
    const [fromHere, fromThere] = [send(here), send(there)];
    here.settle(fromHere, post);
    expect(stored.size).toBe(0);
    type(here, 'The next one');
    there.follow({ key: null });
    there.settle(fromThere, post);
    expect([textOf(here), textOf(there), textOf(open())]).toEqual(Array(3).fill('The next one'));
  });

  test('while a post is sent is the next post', () => {
    const store = open();
    type(store, 'Hello');
    const sent = send(store);
    expect(textOf(store)).toBe('');
    // Not arrived, for all that is known after a reload.
    expect(open().get()).toEqual(sent);
    type(store, 'The next one');
    const shown = store.get();
    store.settle(sent, post);
    expect(store.get()).toBe(shown);
    expect(open().get()).toMatchObject({ editing: null, sent: null });
    expect(textOf(open())).toBe('The next one');
  });

  test('while a post is sent stays, and the post comes after it where it was not scheduled', () => {
    const store = open();
    type(store, 'Hello');
    const sent = send(store);
    type(store, 'The next one');
    store.giveBack(sent, false);
    expect(textOf(store)).toBe('The next one');
    store.settle(send(store, 'k2'), post);
    expect(store.get()).toEqual(sent);
  });

  test.each([
    [true, null],
    [false, { key: 'k', at: AT }],
  ])('is shown again where it was not scheduled; refused: %j', (isRefused, again) => {
    const store = open();
    type(store, 'Hello');
    store.giveBack(send(store), isRefused);
    expect([textOf(store), store.get().sent]).toEqual(['Hello', again]);
    expect(open().get()).toEqual(store.get());
  });

  test('while a change of a post is sent is a further change', () => {
    const store = open();
    store.edit(post);
    const sent = send(store);
    expect(store.get()).toEqual(sent);
    type(store, 'And more');
    store.settle(sent, { ...post, version: 8 });
    expect(open().get()).toMatchObject({ at: AT, editing: { id: post.id, version: 8 } });
    expect(textOf(store)).toBe('And more');
    store.settle(send(store, 'k2'), post);
    expect(stored.size).toBe(0);
  });

  test('into a post that is gone by now is a new post, before the one that was begun', () => {
    const store = open();
    type(store, 'Begun');
    store.edit(post);
    store.rebase('another', null);
    store.rebase(post.id, null);
    expect(open().get()).toMatchObject({ at: AT, editing: null });
    expect([textOf(store), textOf(open())]).toEqual(['As it was', 'As it was']);
    store.discard();
    expect(textOf(store)).toBe('Begun');
  });

  test('where the browser keeps nothing is there until the page is left', () => {
    vi.stubGlobal('window', {});
    const store = open();
    type(store, 'Hello');
    const sent = send(store);
    type(store, 'The next one');
    store.giveBack(sent, true);
    store.discard();
    expect(textOf(store)).toBe('Hello');
  });

  test('by an older version of the page is still there', () => {
    const old = { ...emptyDraft('en'), parts: [{ ...emptyPart(), text: 'From before' }] };
    stored.set(`meridian_draft:new:${MEMBER}`, JSON.stringify(old));
    expect(textOf(open())).toBe('From before');
  });

  test('is gone once it is a post, while another one is being changed', () => {
    const store = open();
    type(store, 'Hello');
    const sent = send(store);
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
    forgetDrafts(MEMBER);
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
      stored.set(`meridian_draft:new:${MEMBER}`, text);
      expect(textOf(open())).toBe('');
    },
  );
});

describe('what is sent', () => {
  test('of a post that was changed is what the member did not touch', () => {
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
    ['goes as its link is typed on', `${LINKED}article`, false],
    ['goes as its link is shortened', 'See https://example.', false],
    ['goes with another link in its place', 'See https://other.example/', false],
    ['goes with the link of another text', 'https://other.example/ is better', false],
    ['goes with a link before its own', `https://other.example/ ${LINKED}`, false],
    ['stays with more text', `Before: ${LINKED} and after`, true],
    ['stays before a later link', `${LINKED} https://other.example/`, true],
    ['stays when its link is taken out', 'See ', true],
  ])('%s', (_, text, isKept) => {
    const part = { ...emptyPart(), text, card };
    expect(cardOf(part)).toEqual(isKept ? card : null);
    expect(linkWithoutCard(part)).toBe(isKept ? null : firstLink(text));
    const draft = { ...emptyDraft('en'), parts: [part] };
    expect(bodyOf(draft, AT).external?.uri).toBe(isKept ? card.uri : undefined);
  });

  test('stays in a stored post with another link, until that is typed on', () => {
    const content = 'https://other.example/';
    const [part = emptyPart()] = draftOf({ ...post, content, images: [], external: card }).parts;
    expect([cardOf(part), linkWithoutCard(part)]).toEqual([card, null]);
    expect(cardOf({ ...part, text: `${content}more` })).toBeNull();
  });
});

const uploaded = { id: 'm', url: '/m', mimeType: 'image/webp', width: 2, height: 1, bytes: 9 };
const picture = { media: uploaded, alt: '' };
const of = (...texts: string[]) => ({
  ...emptyDraft('en'),
  parts: texts.map((text) => Object.assign(emptyPart(), { text })),
});
const FREE = limitsOf({ max_post_length: 5, max_images_per_post: 1, thread_posts: false });
const PAID = limitsOf({ thread_posts: true, thread_posts_limit: 1, max_post_length: 1000 });

test.each([
  ['nothing', of(' '), FREE, /^Write something/],
  ['as much as fits', of('12345'), FREE, undefined],
  ['one too many', of('123456'), FREE, /1 character too long/],
  // A family, a flag and a letter with two accents are three characters to a reader.
  ['characters as a reader counts them', of('👨‍👩‍👧‍👦🇩🇪a\u0301\u0302ok'), FREE, undefined],
  ['more bytes than the network takes', of('👨‍👩‍👧‍👦'.repeat(121)), PAID, /3025 of 3000 bytes/],
  ['Japanese', of('こんにちは'), FREE, undefined],
  ['a thread without the plan for it', of('a', 'b'), FREE, /no threads/],
  ['a thread', of('a', 'b'), PAID, undefined],
  ['a thread that is too long', of('a', 'b', 'c'), PAID, /at most 2 posts/],
  ['an empty part', of('a', ''), PAID, /Post 2 of the thread is empty/],
  [
    'a picture alone',
    { ...of(''), parts: [{ ...emptyPart(), pictures: [picture] }] },
    FREE,
    undefined,
  ],
  [
    'more pictures than the plan has',
    { ...of(''), parts: [{ ...emptyPart(), pictures: [picture, picture] }] },
    FREE,
    /at most 1 pictures/,
  ],
  ['more than the network takes, whatever the plan says', of('x'.repeat(301)), PAID, /1 character/],
])('%s', (_, draft, limits, problem) => {
  expect(problemOf(draft, limits)?.sentence ?? 'none').toMatch(problem ?? /^none$/);
});

test('names the part at fault, and none where it is the thread', () => {
  const draft = of('a', '');
  expect(problemOf(draft, PAID)?.part).toBe(draft.parts[1]?.id);
  expect(problemOf(of('a', 'b'), FREE)?.part).toBeUndefined();
});

test('limits that a plan does not name are those of the network', () => {
  expect(limitsOf({})).toEqual({
    characters: 300,
    pictures: 4,
    pictureBytes: 1_000_000,
    parts: 1,
    slotMinutes: 1,
    days: -1,
  });
});
