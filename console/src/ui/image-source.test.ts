import { expect, test } from 'vitest';
import { imageSource } from './image-source.ts';

const base = 'http://127.0.0.1:3000/users';

test.each([
  ['https://cdn.example/a.png', 'https://cdn.example/a.png'],
  ['/cdn/a.png', 'http://127.0.0.1:3000/cdn/a.png'],
  ['http://127.0.0.1:3000/cdn/a.png', 'http://127.0.0.1:3000/cdn/a.png'],
  ['//cdn.example/a.png', undefined],
  ['http://cdn.example/a.png', undefined],
  ['data:image/png;base64,AAAA', undefined],
  ['blob:http://127.0.0.1:3000/1', 'blob:http://127.0.0.1:3000/1'],
  ['javascript:alert(1)', undefined],
  ['https://user:pw@cdn.example/a.png', undefined],
  ['https://', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('a picture at %j loads from %j', (source, expected) => {
  expect(imageSource(source, base)).toBe(expected);
});
