import { expect, test } from 'vitest';
import { findTarget } from './find.ts';

const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';

test.each([
  [
    '0192F3A4-0000-7000-8000-000000000001',
    { kind: 'id', id: '0192f3a4-0000-7000-8000-000000000001' },
  ],
  [DID, { kind: 'user', name: DID }],
  ['did:web:example.com', { kind: 'user', name: 'did:web:example.com' }],
  ['anna.example', { kind: 'user', name: 'anna.example' }],
  ['@anna.bsky.social', { kind: 'user', name: 'anna.bsky.social' }],
  [`at://${DID}`, { kind: 'user', name: DID }],
  [`at://${DID}/app.bsky.feed.post/3kabc`, { kind: 'post', name: DID, rkey: '3kabc' }],
  ['https://bsky.app/profile/anna.example', { kind: 'user', name: 'anna.example' }],
  ['https://bsky.app/profile/anna.example/', { kind: 'user', name: 'anna.example' }],
  [
    'https://bsky.app/profile/anna.example/post/3kabc?ref=x#y',
    { kind: 'post', name: 'anna.example', rkey: '3kabc' },
  ],
  [`bsky.app/profile/${DID}/post/3kabc`, { kind: 'post', name: DID, rkey: '3kabc' }],
  ['https://bsky.app/profile/%40anna.example', { kind: 'user', name: 'anna.example' }],
  ['ABCD-EFGH-JKLM-NPQR', { kind: 'code', code: 'ABCD-EFGH-JKLM-NPQR' }],
  ['abcd efgh jklm npqr', { kind: 'code', code: 'ABCD-EFGH-JKLM-NPQR' }],
  ['ABCDEFGHJKLMNPQR', { kind: 'code', code: 'ABCD-EFGH-JKLM-NPQR' }],
  ['ABCD-EFGH', { kind: 'text' }],
  ['anna', { kind: 'text' }],
  ['https://example.com/other', { kind: 'text' }],
  ['https://bsky.app/profile/%E0%A4%A', { kind: 'text' }],
  ['javascript:/profile/x', { kind: 'text' }],
  ['', { kind: 'text' }],
])('%s', (text, target) => {
  expect(findTarget(text)).toEqual(target);
});
