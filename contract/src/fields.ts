import * as z from 'zod/mini';
import { atMost } from './length.ts';

/** `Object.keys` forgets the names of a literal. The mark lets bundlers drop a call that nobody uses. */
/* @__NO_SIDE_EFFECTS__ */
export function keysOf<T extends object>(literal: T) {
  return Object.keys(literal) as [keyof T, ...(keyof T)[]];
}

/** PostgreSQL's largest int4: the ceiling of every count that has no tighter one. */
export const INT_MAX = 2_147_483_647;
export const UNLIMITED = -1;

export function integer(label: string, min: number, max: number = INT_MAX) {
  const isOpen = max === INT_MAX;
  const error = isOpen
    ? `${label} must be a whole number of at least ${min}`
    : `${label} must be a whole number from ${min} to ${max}`;
  const tooLarge = isOpen ? `${label} must be at most ${max}` : error;
  // A number past the exactly countable ones is too large, not of a wrong kind.
  const ofKind = ({ code, input }: { code?: string; input?: unknown }) =>
    code === 'too_big' && Number(input) > 0 ? tooLarge : error;
  return z.int({ error: ofKind }).check(z.gte(min, { error }), z.lte(max, { error: tooLarge }));
}

export function flag(label: string) {
  return z.boolean({ error: `${label} must be true or false` });
}

/** A patch has to change something. Register it as `SOME_FIELD`, for the documentation. */
export function someField(error: string) {
  return z.refine<object>((body) => Object.values(body).some((value) => value !== undefined), {
    error,
  });
}
export const SOME_FIELD = { minProperties: 1 } as const;

export function choice<const T extends readonly string[]>(label: string, values: T) {
  return z.enum(values, { error: `${label} must be one of ${values.join(', ')}` });
}

export function numberChoice<const T extends readonly number[]>(label: string, values: T) {
  return z.literal([...values] as T[number][], {
    // The spread drops the tuple type, which the caller's exact union needs back.
    error: `${label} must be one of ${values.join(', ')}`,
  });
}

/** RFC 3339 with a zone, a year from 2000 to 2099 as written and in UTC; passed on as UTC with milliseconds. */
export function instant(label: string) {
  const error = `${label} must be a date and time with a zone, between 2000 and 2100`;
  const year = z.regex(/^20/u, { error: `${label} must be between 2000 and 2100` });
  return z.pipe(
    z.iso
      .datetime({ offset: true, error, abort: true })
      .check(year)
      .register(z.globalRegistry, { format: 'date-time' }),
    z.pipe(
      z.transform((value: string) => new Date(value).toISOString()),
      z.string().check(year),
    ),
  );
}

export function queryInteger(label: string, min: number, max: number) {
  const error = `${label} must be a whole number from ${min} to ${max}`;
  return z
    .pipe(
      z.string({ error }).check(z.regex(/^\d{1,10}$/u, { error })),
      z.pipe(
        z.transform(Number),
        z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error })),
      ),
    )
    .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max });
}

export function queryFlag(label: string) {
  return z
    .pipe(
      z.string().check(
        z.refine((value) => value === 'true' || value === 'false', {
          error: `${label} must be true or false`,
        }),
      ),
      z.transform((value) => value === 'true'),
    )
    .register(z.globalRegistry, { type: 'boolean' });
}

export const PAGE_SIZE_DEFAULT = 20;
export const PAGE_SIZE_MAX = 100;
export const OFFSET_MAX = 1_000_000_000;
export const CURSOR_MAX_LENGTH = 500;

/** The page begins beside a row of another page; with a cursor that does not fit the list, at `offset`. */
export const cursor = z.optional(
  z.string().check(z.maxLength(CURSOR_MAX_LENGTH, { error: 'cursor is too long' })),
);

export const paging = {
  limit: z._default(queryInteger('limit', 1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  offset: z._default(queryInteger('offset', 0, OFFSET_MAX), 0),
  cursor,
};

export const cursors = z.object({
  next: z.nullable(z.string()),
  previous: z.nullable(z.string()),
});
export type Cursors = z.output<typeof cursors>;

/** ISO 8601 UTC with milliseconds, as every response carries it. */
export const timestamp = z.string().register(z.globalRegistry, { format: 'date-time' });
export const id = z.string().register(z.globalRegistry, { format: 'uuid' });
export const count = z.int();

const CONTROL_CHARACTERS = /\p{Cc}/u;
/** Spaces, joiners, marks of direction and the like take up a name and show nothing. */
export const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

function showsOrIsRefused(text: string): boolean {
  return CONTROL_CHARACTERS.test(text) || VISIBLE_CHARACTER.test(text);
}

/** A trimmed line of text. `required` is the sentence shown when it is missing or empty. */
export function line(label: string, max: number, required = `${label} is required`) {
  return z
    .string({ error: required })
    .check(
      z.trim(),
      z.minLength(1, { error: required }),
      // The other checks tell what is empty or has control characters.
      z.refine((value) => value === '' || showsOrIsRefused(value), { error: required }),
      atMost(max, `${label} must be at most ${max} characters`),
      z.refine((value) => !CONTROL_CHARACTERS.test(value), {
        error: `${label} must not contain control characters`,
      }),
    )
    .register(z.globalRegistry, {
      maxLength: max,
      pattern: `^\\s*\\P{Cc}*${VISIBLE_CHARACTER.source}\\P{Cc}*\\s*$`,
    });
}

export function paragraph(
  label: string,
  max: number,
  error:
    | string
    | ((issue: { path?: readonly PropertyKey[] | undefined }) => string) = `${label} must be text`,
) {
  return z
    .string({ error })
    .check(z.trim(), atMost(max, `${label} must be at most ${max} characters`))
    .register(z.globalRegistry, { maxLength: max });
}

export function searchText(label: string, max: number) {
  return z
    .string()
    .check(
      z.trim(),
      z.overwrite((text) => text.replace(/^@/, '')),
      atMost(max, `${label} must be at most ${max} characters`),
    )
    .register(z.globalRegistry, { maxLength: max });
}

/** A plan is described in English, and may be in the others. */
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

export function perLanguage<T extends z.ZodMiniType>(value: T) {
  return z.record(z.string(), value);
}

export type LanguageText = { [language: string]: string };

export function englishOr(texts: LanguageText | null | undefined, fallback: string): string {
  return texts?.['en'] || fallback;
}
