import { expect, test } from 'vitest';
import { DEFAULT_PAGE_CONFIG } from '@meridian/contract/page-config';
import { parsePageConfig } from './page-config.ts';

const CONFIG = {
  cdnBaseUrl: 'https://cdn.example/',
  imageSources: ['https://cdn.example'],
  canLoadPictures: true,
  networkUrl: 'https://network.example',
  passwordMinLength: 12,
};

test('takes what the page says', () => {
  expect(parsePageConfig(JSON.stringify(CONFIG))).toEqual(CONFIG);
  expect(parsePageConfig(JSON.stringify({ ...CONFIG, newer: 1 }))).toEqual(CONFIG);
});

test.each([undefined, '', 'null', '[]', '{', JSON.stringify({ ...CONFIG, imageSources: '*' })])(
  'goes on without it where the page says %j',
  (text) => {
    expect(parsePageConfig(text)).toEqual(DEFAULT_PAGE_CONFIG);
    expect(DEFAULT_PAGE_CONFIG).toEqual({
      cdnBaseUrl: '/cdn/',
      imageSources: ['https://cdn.bsky.app'],
      canLoadPictures: false,
      networkUrl: 'https://bsky.app',
      passwordMinLength: 8,
    });
  },
);
