import { expect, test } from 'vitest';
import { firstLanguage } from './untrusted.ts';

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
