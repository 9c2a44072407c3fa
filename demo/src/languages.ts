import ar from '../data/languages/ar.json' with { type: 'json' };
import de from '../data/languages/de.json' with { type: 'json' };
import en from '../data/languages/en.json' with { type: 'json' };
import es from '../data/languages/es.json' with { type: 'json' };
import fr from '../data/languages/fr.json' with { type: 'json' };
import ja from '../data/languages/ja.json' with { type: 'json' };
import ko from '../data/languages/ko.json' with { type: 'json' };
import pt from '../data/languages/pt.json' with { type: 'json' };
import pictures from '../data/pictures.json' with { type: 'json' };

/** What an account posts about. */
export const VOICES = [
  'person',
  'artist',
  'cafe',
  'newsroom',
  'software',
  'culture',
  'club',
] as const;
export type Voice = (typeof VOICES)[number];

export type Motif = keyof typeof pictures;
/** Per motif: the sizes of its files `<motif>-1.webp`, … and descriptions in every language. */
export const PICTURES = pictures;

/**
 * A template. `[this|that]` is one of the two; `{word}` is one of the words of that name, the same
 * one throughout the post (`{word2}` is another one); `{@}` mentions a user; `{link/path}` is a page
 * of the author's site; `#Tag` is a tag.
 */
export type Template = {
  voice: Voice;
  text: string;
  /** Posted with pictures of these motifs. */
  pictures?: Motif[];
  /** Posted with a card for this page of the author's site. */
  page?: { path: string; title: string; about: string };
};
export type Pack = {
  words: Record<string, string[]>;
  /** Organizations by voice: display name by handle. */
  accounts: Partial<Record<Voice, Record<string, string>>>;
  texts: Template[];
};

const files = { en, ja, es, fr, de, pt, ko, ar };
export type DemoLanguage = keyof typeof files;
export const PACKS = files as Record<DemoLanguage, Pack>; // languages.test.ts checks the names in them.

/** Empty where the language has no such voice. */
export function templatesOf(language: DemoLanguage, voice: Voice): Template[] {
  return PACKS[language].texts.filter((text) => text.voice === voice);
}
