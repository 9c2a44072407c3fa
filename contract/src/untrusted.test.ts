import { expect, test } from 'vitest';
import { onlyLanguage } from './untrusted.ts';

test.each([['fr'], ['pt-BR'], ['zh-Hant-TW']])('%s is the language of a text', (tag) => {
  expect(onlyLanguage([tag])).toBe(tag);
});

test.each([[[]], [['en', 'de']], [['"><script>']], [[7]], ['en'], [null], [undefined]])(
  '%j is no language of a text',
  (languages) => {
    expect(onlyLanguage(languages)).toBeUndefined();
  },
);
