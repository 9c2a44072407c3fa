import { describe, expect, test } from 'vitest';
import { templateFiller } from './fill.ts';
import { PACKS, PICTURES, templatesOf, VOICES } from './languages.ts';
import type { DemoLanguage } from './languages.ts';
import { createRandom } from './random.ts';
import { lengthOf, NETWORK_MAX_LENGTH, richText } from './rich-text.ts';

const author = {
  site: 'a-rather-long-name-of-an-organization.example',
  showsScheme: true,
  mention: () => ({ handle: 'user-with-a-long-name.cloudpost.example', did: 'did:plc:a' }),
};
const LANGUAGES = Object.keys(PACKS) as DemoLanguage[]; // Its keys are exactly these.

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const { words, accounts, texts } = PACKS[language];

  test('have words for every slot and fit into a post', () => {
    const templates = texts.flatMap(({ text, page }) => [
      `${text} {tail}`,
      ...(page === undefined ? [] : [page.title, page.about]),
    ]);
    for (const template of templates) {
      for (let round = 0; round < 8; round += 1) {
        const fill = templateFiller(createRandom(`${template}/${round}`), words);
        const { text } = richText(fill(template), author);
        expect(text).not.toMatch(/[{}|]|\s$|^\s| {2}/u);
        expect(lengthOf(text)).toBeLessThanOrEqual(NETWORK_MAX_LENGTH);
      }
    }
  });

  test('name known voices and motifs, and every motif has a description', () => {
    const motifs = Object.keys(PICTURES);
    expect(VOICES).toEqual(expect.arrayContaining(texts.map(({ voice }) => voice)));
    expect(motifs).toEqual(expect.arrayContaining(texts.flatMap(({ pictures = [] }) => pictures)));
    for (const { alt } of Object.values(PICTURES)) expect(alt[language].join('')).not.toBe('');
  });

  test('exist for every organization', () => {
    const silent = VOICES.filter((voice) => voice in accounts && !templatesOf(language, voice)[0]);
    expect(silent).toEqual([]);
  });
});

test('a word stays the same within a post, and its numbered twin differs', () => {
  const words = { day: ['Monday', 'Friday'], few: ['two'] };
  const fill = templateFiller(createRandom('words'), words);
  const [first, again, other] = fill('{day} {day} {day2}').split(' ');
  expect(again).toBe(first);
  expect(new Set([first, other])).toEqual(new Set(words.day));
  expect(fill('Wait. {few} or {few}?')).toBe('Wait. Two or two?');
});
