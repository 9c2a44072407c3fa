import { countGraphemes, NETWORK_LIMITS, textTooLarge } from '@meridian/contract/network';
import type { Limits } from '../limits.ts';
import { type Draft, type DraftPart, isEmptyDraft, isEmptyPart } from './draft.ts';

type Problem = {
  sentence: string;
  /** The id of the part at fault, where it is one. */
  part?: string;
};

/** Why a draft cannot be sent as it is, or undefined. */
export function problemOf(draft: Draft, limits: Limits): Problem | undefined {
  const isThread = draft.parts.length > 1;
  for (const [index, part] of draft.parts.entries()) {
    const name = isThread ? `Post ${index + 1} of the thread` : 'The text';
    const sentence = isEmptyDraft(draft)
      ? 'Write something or add a picture first.'
      : partProblem(part, name, limits);
    if (sentence !== undefined) return { sentence, part: part.id };
  }
  if (draft.parts.length <= limits.parts) return undefined;
  const sentence =
    limits.parts === 1
      ? 'Your plan has no threads. Remove the further posts.'
      : `Your plan allows threads of at most ${limits.parts} posts. Remove some.`;
  return { sentence };
}

function partProblem(part: DraftPart, name: string, limits: Limits): string | undefined {
  if (isEmptyPart(part)) return `${name} is empty. Write something or remove it.`;
  const over = countGraphemes(part.text) - limits.characters;
  if (over > 0) return `${name} is ${over} ${over === 1 ? 'character' : 'characters'} too long.`;
  const bytes = new Blob([part.text]).size;
  if (bytes > NETWORK_LIMITS.textBytes) return textTooLarge(bytes);
  if (part.pictures.length <= limits.pictures) return undefined;
  const most = limits.pictures === 0 ? 'no pictures' : `at most ${limits.pictures} pictures`;
  return `Your plan allows ${most} in a post. Remove some.`;
}
