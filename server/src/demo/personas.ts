import { CULTURES } from './people.ts';
import { LANGUAGE_PACKS } from './phrases/index.ts';
import type { DemoLanguage } from './phrases/index.ts';
import type { Kind, LanguagePack } from './phrases/types.ts';
import { lottery } from './random.ts';
import type { Random } from './random.ts';
import { UNUSUAL_NAMES } from './unusual-names.ts';

export type Persona = {
  name: string;
  slug: string;
  language: DemoLanguage;
  kind: Kind;
  isHouse: boolean;
};

const drawCulture = lottery(CULTURES.map((culture) => [culture, culture.weight] as const));

/** All houses, all unusual names, and people for the rest. */
export function makePersonas(random: Random, count: number): Persona[] {
  const houses = Object.entries(LANGUAGE_PACKS).flatMap(
    ([language, pack]: [string, LanguagePack]) =>
      Object.entries(pack.houses).flatMap(([kind, list]) =>
        list.map(([name, slug]) => ({
          name,
          slug,
          // Both are keys of the tables they were read from.
          language: language as DemoLanguage,
          kind: kind as Kind,
          isHouse: true,
        })),
      ),
  );
  const unusual = UNUSUAL_NAMES.map(([name, slug]): Persona => {
    const language = /\p{Script=Arabic}/u.test(name) ? 'ar' : 'en';
    return { name, slug, language, kind: 'person', isHouse: false };
  });
  const people = Array.from({ length: count - houses.length - unusual.length }, () =>
    makePerson(random),
  );
  return random.shuffled([...houses, ...unusual, ...people]);
}

export function makePerson(random: Random): Persona {
  const culture = drawCulture(random.unit());
  const [given, givenLatin] = forms(random.pick(culture.given));
  const [family, familyLatin] = forms(random.pick(culture.family));
  const name =
    culture.familyFirst === undefined
      ? `${given} ${family}`
      : `${family}${culture.familyFirst}${given}`;
  const slug = random.pick([
    `${givenLatin}.${familyLatin}`,
    `${givenLatin}-${familyLatin}`,
    `${givenLatin}${familyLatin}`,
    `${givenLatin.slice(0, 1)}${familyLatin}`,
    `${givenLatin}${random.int(2, 99)}`,
  ]);
  const kind = random.weighted([
    ['person', 6],
    ['artist', 3],
    ['software', 1],
  ] as const);
  const language = random.weighted(culture.speaks);
  const hasVoice = kind in LANGUAGE_PACKS[language].voices;
  return { name, slug, language, kind: hasVoice ? kind : 'person', isHouse: false };
}

function forms(name: string): [native: string, latin: string] {
  const [native = name, latin = name] = name.split('|');
  const plain = latin.toLowerCase().replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('ı', 'i');
  const ascii = plain.replaceAll('ł', 'l').replaceAll('đ', 'd').normalize('NFD');
  return [native, ascii.replaceAll(/[^a-z]/g, '')];
}
