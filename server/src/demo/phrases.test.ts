import { describe, expect, test } from 'vitest';
import { SCENES } from './images/scenes/index.ts';
import { LANGUAGE_PACKS } from './phrases/index.ts';
import type { LanguagePack } from './phrases/types.ts';
import { createRandom } from './random.ts';
import { lengthOf, NETWORK_MAX_LENGTH, richText } from './rich-text.ts';
import { slotFiller } from './slots.ts';

const packs: LanguagePack[] = Object.values(LANGUAGE_PACKS);
const surroundings = {
  site: 'a-rather-long-name-of-a-house.example',
  showsScheme: true,
  someone: () => ({ handle: 'somebody-with-a-long-name.cloudpost.example', did: 'did:plc:a' }),
};

describe.each(packs)('the phrases of $code', (pack) => {
  test('have words for every slot and fit into a post', () => {
    for (const voice of Object.values(pack.voices)) {
      const texts = [
        ...voice.says,
        ...voice.shows.map(([, says]) => says),
        ...voice.links.flatMap(({ says, title, about }) => [says, title, about]),
        ...pack.tails,
      ];
      for (const template of texts) {
        for (let round = 0; round < 8; round += 1) {
          const fill = slotFiller(createRandom(`${template}/${round}`), voice.words, pack.words);
          const { text } = richText(fill(template), surroundings);
          expect(text).not.toMatch(/[{}|]|\s$|^\s| {2}/u);
          expect(lengthOf(text)).toBeLessThanOrEqual(NETWORK_MAX_LENGTH);
        }
      }
    }
  });

  test('describe every scene', () => {
    for (const scene of Object.keys(SCENES)) {
      expect(pack.alts).toHaveProperty(
        scene,
        expect.arrayContaining([expect.stringMatching(/./u)]),
      );
    }
  });

  test('speak for every house', () => {
    expect(Object.keys(pack.voices)).toEqual(expect.arrayContaining(Object.keys(pack.houses)));
  });
});

test('a slot keeps its value within a post, and its numbered twin differs', () => {
  const words = { day: ['Monday', 'Friday'], few: ['two'] };
  const fill = slotFiller(createRandom('slots'), words);
  const [first, again, other] = fill('{day} {day} {day2}').split(' ');
  expect(again).toBe(first);
  expect(new Set([first, other])).toEqual(new Set(words.day));
  expect(fill('Wait. {few} or {few}?')).toBe('Wait. Two or two?');
});
