import { expect, test } from 'vitest';
import { pictureAddress } from './pictures.tsx';

const around = {
  pageUrl: 'http://127.0.0.1:3000/users',
  imageSources: [
    'http://cdn.localhost:9000',
    'https://cdn.bsky.app',
    'https://images.example.com',
    'https://*.photos.example.net',
  ],
};

test.each([
  ['/cdn/a.png', 'http://127.0.0.1:3000/cdn/a.png'],
  ['http://127.0.0.1:3000/cdn/a.png', 'http://127.0.0.1:3000/cdn/a.png'],
  ['blob:http://127.0.0.1:3000/1', 'blob:http://127.0.0.1:3000/1'],
  ['http://cdn.localhost:9000/a.png', 'http://cdn.localhost:9000/a.png'],
  ['https://cdn.bsky.app/img/a', 'https://cdn.bsky.app/img/a'],
  ['HTTPS://CDN.BSKY.APP/img/a', 'https://cdn.bsky.app/img/a'],
  ['https://cdn.bsky.app:443/img/a', 'https://cdn.bsky.app/img/a'],
  ['https://images.example.com/a.png', 'https://images.example.com/a.png'],
  ['https://a.photos.example.net/a.png', 'https://a.photos.example.net/a.png'],
  ['https://a.b.photos.example.net/a.png', 'https://a.b.photos.example.net/a.png'],
])('the browser loads %j by itself', (source, url) => {
  expect(pictureAddress(source, around)).toMatchObject({ url, isTrusted: true });
});

test.each([
  ['https://pictures.example.test/a.png', 'pictures.example.test', true],
  ['https://127.0.0.1:3000/a.png', '127.0.0.1:3000', false],
  ['https://cdn.bsky.app.example.test/a.png', 'cdn.bsky.app.example.test', true],
  ['https://cdn.bsky.app:8443/a.png', 'cdn.bsky.app:8443', false],
  ['https://a.images.example.com/a.png', 'a.images.example.com', true],
  ['https://photos.example.net/a.png', 'photos.example.net', true],
  ['https://evilphotos.example.net/a.png', 'evilphotos.example.net', true],
  ['https://a.photos.example.net:8443/a.png', 'a.photos.example.net:8443', false],
  ['https://a.photos.example.net./a.png', 'a.photos.example.net.', true],
  ['https://cdn.localhost:9000/a.png', 'cdn.localhost:9000', false],
  ['http://pictures.example.test/a.png', 'pictures.example.test', true],
  ['http://cdn.bsky.app/a.png', 'cdn.bsky.app', true],
  ['http://a.photos.example.net/a.png', 'a.photos.example.net', true],
  ['http://127.0.0.1:3001/a.png', '127.0.0.1:3001', false],
])('%j waits for a click, at the host %s', (source, host, isLoadable) => {
  expect(pictureAddress(source, around)).toEqual({
    url: source,
    host,
    isTrusted: false,
    isLoadable,
  });
});

test.each([
  'ftp://pictures.example.test/a.png',
  'data:image/png;base64,AAAA',
  'blob:https://pictures.example.test/1',
  'javascript:alert(1)',
  'https://user:pw@cdn.bsky.app/a.png',
  'https://',
  '',
  null,
  undefined,
])('%j is no picture', (source) => {
  expect(pictureAddress(source, around)).toBeNull();
});
