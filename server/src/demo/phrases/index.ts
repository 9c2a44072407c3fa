import { arabic } from './ar.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { japanese } from './ja.ts';
import { korean } from './ko.ts';
import { portuguese } from './pt.ts';
import type { LanguagePack } from './types.ts';

/** Every language somebody in the demonstration posts in. */
export const LANGUAGE_PACKS = {
  en: english,
  ja: japanese,
  es: spanish,
  fr: french,
  de: german,
  pt: portuguese,
  ko: korean,
  ar: arabic,
} satisfies Record<string, LanguagePack>;
export type DemoLanguage = keyof typeof LANGUAGE_PACKS;
