import type { Words } from './phrases/types.ts';
import type { Random } from './random.ts';

const SLOT = /\{(\w+)\}/g;
const CHOICE = /\[([^[\]|]*(?:\|[^[\]|]*)+)\]/g;
const STARTS_SENTENCE = /(?:^|[.!?]\s+|\n)$/u;

/**
 * Fills the slots and choices of the texts of one post: a slot has one value throughout the post. Mentions and
 * links are no slots and stay as they are.
 */
export function slotFiller(random: Random, ...vocabularies: readonly Words[]) {
  const chosen = new Map<string, string>();
  const wordsOf = (slot: string) =>
    vocabularies.map((words) => words[slot]).find((list) => list !== undefined);

  const choose = (slot: string): string => {
    const known = chosen.get(slot);
    if (known !== undefined) return known;
    // `day2` is another day, unless the words have a list of that very name.
    const list = wordsOf(slot) ?? wordsOf(slot.replace(/\d+$/, ''));
    if (list === undefined) throw new Error(`No words for {${slot}}`);
    const word = pickUnused(random, list, chosen);
    chosen.set(slot, word);
    return word;
  };

  const decide = (template: string): string =>
    template.replaceAll(CHOICE, (_, choices: string) => random.pick(choices.split('|')));

  const fill = (template: string): string => {
    const decided = decide(template);
    return decided.replaceAll(SLOT, (_, slot: string, offset: number) => {
      const value = fill(choose(slot));
      return STARTS_SENTENCE.test(decided.slice(0, offset)) ? capitalised(value) : value;
    });
  };
  // A choice may have been to say nothing, which leaves spaces behind.
  return (template: string): string => fill(template).replaceAll(/ {2,}/g, ' ').trim();
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function pickUnused(random: Random, list: readonly string[], chosen: Map<string, string>): string {
  if (chosen.size === 0) return random.pick(list);
  const used = new Set(chosen.values());
  const fresh = list.filter((word) => !used.has(word));
  return random.pick(fresh.length > 0 ? fresh : list);
}
