import * as z from 'zod/mini';
import { atMost } from './length.ts';

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
      // One sentence for one fault: what is empty or has control characters is told by the others.
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

/** Trimmed text of several lines that may be empty. */
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

/** Part of a name to look for. Handles are often written with an @, and none has one. */
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
