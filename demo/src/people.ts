import names from '../data/names.json' with { type: 'json' };
import unusualNames from '../data/unusual-names.json' with { type: 'json' };
import { PACKS, templatesOf, VOICES } from './languages.ts';
import type { DemoLanguage, Voice } from './languages.ts';
import { lottery } from './random.ts';
import type { Random } from './random.ts';

export type Persona = {
  name: string;
  /** What the handle is made of. */
  slug: string;
  language: DemoLanguage;
  voice: Voice;
  isOrganization: boolean;
};

/** Names are `native|latin`, or one form where the script is Latin. */
type NameGroup = {
  weight: number;
  languages: Partial<Record<DemoLanguage, number>>;
  /** The family name comes first and is joined with this. */
  familyFirst?: string;
  given: string[];
  family: string[];
};
const GROUPS: NameGroup[] = names;
const drawGroup = lottery(GROUPS.map((group) => [group, group.weight] as const));

/** All organizations, all unusual names, and people for the rest. */
export function makePersonas(random: Random, count: number): Persona[] {
  const organizations = LANGUAGES.flatMap((language) =>
    VOICES.flatMap((voice) =>
      Object.entries(PACKS[language].accounts[voice] ?? {}).map(([slug, name]) => ({
        name,
        slug,
        language,
        voice,
        isOrganization: true,
      })),
    ),
  );
  const unusual = Object.entries(unusualNames).map(([slug, name]): Persona => {
    const language = /\p{Script=Arabic}/u.test(name) ? 'ar' : 'en';
    return { name, slug, language, voice: 'person', isOrganization: false };
  });
  const rest = count - organizations.length - unusual.length;
  const people = Array.from({ length: rest }, () => makePerson(random));
  return random.shuffled([...organizations, ...unusual, ...people]);
}

const LANGUAGES = Object.keys(PACKS) as DemoLanguage[]; // Its keys are exactly these.

export function makePerson(random: Random): Persona {
  const { given, family, familyFirst, languages } = drawGroup(random.unit());
  const [givenName, givenLatin] = forms(random.pick(given));
  const [familyName, familyLatin] = forms(random.pick(family));
  const slug = random.pick([
    `${givenLatin}.${familyLatin}`,
    `${givenLatin}-${familyLatin}`,
    `${givenLatin}${familyLatin}`,
    `${givenLatin.slice(0, 1)}${familyLatin}`,
    `${givenLatin}${random.int(2, 99)}`,
  ]);
  const voice = random.chance(0.6) ? 'person' : random.chance(0.75) ? 'artist' : 'software';
  const language = random.weighted(
    LANGUAGES.map((one): [DemoLanguage, number] => [one, languages[one] ?? 0]),
  );
  return {
    name:
      familyFirst === undefined
        ? `${givenName} ${familyName}`
        : `${familyName}${familyFirst}${givenName}`,
    slug,
    language,
    voice: templatesOf(language, voice).length > 0 ? voice : 'person',
    isOrganization: false,
  };
}

function forms(name: string): [native: string, latin: string] {
  const [native = name, latin = name] = name.split('|');
  const plain = latin.toLowerCase().replaceAll('ß', 'ss').replaceAll('ø', 'o').replaceAll('ı', 'i');
  const ascii = plain.replaceAll('ł', 'l').replaceAll('đ', 'd').normalize('NFD');
  return [native, ascii.replaceAll(/[^a-z]/g, '')];
}
