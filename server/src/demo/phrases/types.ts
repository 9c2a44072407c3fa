import type { SceneName } from '../images/scenes/index.ts';

/** What somebody posts about. */
export type Kind = 'person' | 'artist' | 'cafe' | 'newsroom' | 'software' | 'culture' | 'club';

/**
 * Texts with slots: `[this|that]` is one of the two; `{word}` is one of the words of that name, the same one wherever it stands in
 * a post (`{word2}` is another one of them); `{@}` mentions somebody; `{link/path}` is an address
 * on the author's own site; `#Tag` is a tag.
 */
export type Voice = {
  readonly says: readonly string[];
  /** Posted with pictures of one of these scenes. */
  readonly shows: readonly (readonly [scenes: readonly SceneName[], says: string])[];
  /** Posted with a card for a page on the author's site. */
  readonly links: readonly { says: string; title: string; about: string; path: string }[];
  readonly words: Words;
};
export type Words = { readonly [name: string]: readonly string[] };

/** A business, paper, project, museum or club: its name and how it is written in an address. */
export type House = readonly [name: string, slug: string];

export type LanguagePack = {
  readonly code: string;
  /** Minutes east of Greenwich where its speakers live, with weights. */
  readonly zones: readonly (readonly [minutes: number, weight: number])[];
  readonly voices: Partial<Record<Kind, Voice>>;
  readonly houses: Partial<Record<Kind, readonly House[]>>;
  /** Words that every voice of the language may use. */
  readonly words: Words;
  /** What some add at the end of a post. */
  readonly tails: readonly string[];
  /** What a picture of a scene shows, for those who cannot see it. */
  readonly alts: Record<SceneName, readonly string[]>;
};
