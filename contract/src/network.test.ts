import { expect, test } from 'vitest';
import { networkPageOf } from './network.ts';
import { firstLanguage } from './untrusted.ts';

test.each([
  [
    {
      at_uri: 'at://did:plc:then/app.bsky.feed.post/3kabc',
      at_rkey: null,
      user: { did: 'did:plc:now', handle: 'now.example' },
    },
    'https://bsky.app/profile/did:plc:then/post/3kabc',
  ],
  [
    { at_uri: 'at://did:plc:abc/app.bsky.feed.post/3kabc', at_rkey: null, user: null },
    'https://bsky.app/profile/did:plc:abc/post/3kabc',
  ],
  [
    {
      at_uri: 'at://did:plc:abc/app.bsky.feed.post/3kabc',
      at_rkey: null,
      user: { did: 'did:plc:abc', handle: 'handle.invalid' },
    },
    'https://bsky.app/profile/did:plc:abc/post/3kabc',
  ],
  [{ at_uri: 'at://did:plc:abc/app.bsky.feed.post/../x', at_rkey: '../../x', user: null }, null],
  [
    {
      at_uri: 'javascript:alert(1)',
      at_rkey: '3kabc',
      user: { did: 'did:plc:abc', handle: 'a"onclick=x' },
    },
    'https://bsky.app/profile/did:plc:abc/post/3kabc',
  ],
  [{ at_uri: null, at_rkey: null, user: { did: 'did:plc:abc', handle: 'a.example' } }, null],
])('the page of %j is %s', (post, address) => {
  expect(networkPageOf(post, 'https://bsky.app')).toBe(address);
});

test('a page of the local network is on the same server', () => {
  const post = { at_uri: 'at://did:plc:abc/app.bsky.feed.post/3kabc', at_rkey: null, user: null };
  expect(networkPageOf(post, '/local-network')).toBe(
    '/local-network/profile/did:plc:abc/post/3kabc',
  );
});

test.each([['fr'], ['pt-BR'], ['zh-Hant-TW']])('%s is the language of a text', (tag) => {
  expect(firstLanguage([tag])).toBe(tag);
  expect(firstLanguage([tag, 'en'])).toBe(tag);
});

test.each([[[]], [['"><script>']], [[7]], ['en'], [null], [undefined]])(
  '%j is no language of a text',
  (languages) => {
    expect(firstLanguage(languages)).toBeUndefined();
  },
);
