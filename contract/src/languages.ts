import * as z from 'zod/mini';

/** The languages a plan can be described in. English is the one that must be there. */
export const LANGUAGES = ['en', 'ja', 'es', 'fr', 'ko', 'de', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  ja: 'Japanese',
  es: 'Spanish',
  fr: 'French',
  ko: 'Korean',
  de: 'German',
  pt: 'Portuguese',
};

/** A value per language, as responses carry it. */
export function perLanguage<T extends z.ZodMiniType>(value: T) {
  return z.record(z.string(), value);
}

export type LanguageText = { [language: string]: string };

/** The English text, or the fallback. */
export function englishOr(texts: LanguageText | null | undefined, fallback: string): string {
  return texts?.['en'] || fallback;
}
