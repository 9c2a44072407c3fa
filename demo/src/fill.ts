import type { Random } from './random.ts';

const SLOT = /\{(\w+)\}/g;
// Brackets without a bar are ordinary text, as in a Korean headline.
const CHOICE = /\[([^[\]|]*(?:\|[^[\]|]*)+)\]/g;
const STARTS_SENTENCE = /(?:^|[.!?]\s+|\n)$/u;

/** Fills the words and choices of the templates of one post. Mentions and links stay as they are. */
export function templateFiller(random: Random, words: Record<string, string[]>) {
  const chosen = new Map<string, string>();

  const choose = (slot: string): string => {
    const known = chosen.get(slot);
    if (known !== undefined) return known;
    const list = words[slot] ?? words[slot.replace(/\d+$/, '')];
    if (list === undefined) throw new Error(`No words for {${slot}}`);
    const used = new Set(chosen.values());
    const unused = list.filter((word) => !used.has(word));
    const word = random.pick(unused.length > 0 ? unused : list);
    chosen.set(slot, word);
    return word;
  };

  const fill = (template: string): string => {
    const decided = template.replaceAll(CHOICE, (_, choices: string) =>
      random.pick(choices.split('|')),
    );
    return decided.replaceAll(SLOT, (_, slot: string, offset: number) => {
      const value = fill(choose(slot));
      return STARTS_SENTENCE.test(decided.slice(0, offset)) ? capitalized(value) : value;
    });
  };
  // An empty choice leaves spaces behind.
  return (template: string): string => fill(template).replaceAll(/ {2,}/g, ' ').trim();
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
