import { countGraphemes, NETWORK_LIMITS, textTooLarge } from '@meridian/contract/network';
import type { Limits } from '../limits.ts';
import { type Draft, isEmptyDraft, isEmptyPart } from './draft.ts';

/** Why a draft cannot be sent as it is, or undefined. */
export function problemOf(draft: Draft, limits: Limits): string | undefined {
  if (isEmptyDraft(draft)) return 'Write something or add a picture first.';
  const isThread = draft.parts.length > 1;
  for (const [index, part] of draft.parts.entries()) {
    const name = isThread ? `Post ${index + 1} of the thread` : 'The text';
    if (isEmptyPart(part)) return `${name} is empty. Write something or remove it.`;
    const over = countGraphemes(part.text) - limits.characters;
    if (over > 0) return `${name} is ${over} ${over === 1 ? 'character' : 'characters'} too long.`;
    const bytes = new Blob([part.text]).size;
    if (bytes > NETWORK_LIMITS.textBytes) return textTooLarge(bytes);
    if (part.pictures.length > limits.pictures) {
      const most = limits.pictures === 0 ? 'no pictures' : `at most ${limits.pictures} pictures`;
      return `Your plan allows ${most} in a post. Remove some.`;
    }
  }
  if (draft.parts.length > limits.parts) {
    return limits.parts === 1
      ? 'Your plan has no threads. Remove the further posts.'
      : `Your plan allows threads of at most ${limits.parts} posts. Remove some.`;
  }
  return undefined;
}
