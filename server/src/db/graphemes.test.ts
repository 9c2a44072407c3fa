import { countGraphemes } from '@meridian/contract/network';
import { array, constantFrom, sample } from 'fast-check';
import { expect, test } from 'vitest';
import { setUpDatabase } from '../../test/cluster/test-database.ts';
import { sql } from './sql.ts';

const { db } = setUpDatabase('embedded');

async function counts(texts: string[]): Promise<number[]> {
  const rows = await db.many<{ n: number }>(sql`
    select grapheme_count(text) as n
    from unnest(${texts}::text[]) with ordinality as t (text, place) order by place`);
  return rows.map(({ n }) => n);
}

const TEXTS = [
  '',
  'plain text',
  'two\r\nlines',
  'é as e\u0301, ñ as n\u0303',
  '👩‍👩‍👧‍👦 a family, 👍🏽 a thumb, ❤️ a heart, 🏳️‍🌈 a flag',
  '🇩🇪🇯🇵🇫 two flags and a half',
  'क्षत्रिय and नमस्ते',
  '한국어 각 and 각',
  'สวัสดี, مُحَمَّد, שָׁלוֹם',
  'z\u0306\u0301\u0327'.repeat(5),
  '\u0301 alone at the start\n\u0301 and after a line break',
  '\u06001 after a prepended sign',
];

// By code points: a part is less than a character.
const PARTS = [
  ...Array.from('a \n\u0301\u200d👩❤\ufe0f👍🏽🇩🇪क\u094dष\u093f한日กำ\u0600\u200b\u20e3'),
  '\r\n',
];

const escape = (text: string) => JSON.stringify(text);

test('the database counts characters as JavaScript does', async () => {
  expect(await counts(TEXTS)).toEqual(TEXTS.map(countGraphemes));
});

test('never fewer, and mostly the same, in any order of the parts of a character', async () => {
  const part = constantFrom(...PARTS);
  const texts = sample(array(part, { maxLength: 12 }), { numRuns: 3_000, seed: 17 });
  const joined = texts.map((parts) => parts.join(''));
  const counted = await counts(joined);
  const differences = joined.map((text, index) => (counted[index] ?? 0) - countGraphemes(text));
  expect(joined.filter((_, index) => (differences[index] ?? 0) < 0).map(escape)).toEqual([]);
  expect(differences.filter((difference) => difference > 0).length).toBeLessThan(30);
});
