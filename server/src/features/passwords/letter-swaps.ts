/** What people write for a letter in the belief that nobody thinks of it. */
const SWAPS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'il',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'il',
  '|': 'il',
  '+': 't',
  '€': 'e',
};
const SWAPPED = /[01345789@$!|+€]/g;
const AFTER_LAST_LETTER = /[^\p{L}\p{M}]*$/u;

/** Whether the word stands at this place, however its letters are swapped. */
export function standsAt(text: string, place: number, word: string): boolean {
  if (place + word.length > text.length) return false;
  for (let index = 0; index < word.length; index += 1) {
    const letter = word.charAt(index);
    const given = text.charAt(place + index);
    if (given !== letter && SWAPS[given]?.includes(letter) !== true) return false;
  }
  return true;
}

/** What the text may have been before its letters were swapped: all of them, or but for digits at its end. */
export function unswapped(text: string): string[] {
  const end = text.search(AFTER_LAST_LETTER);
  return [0, 1].flatMap((choice) => {
    const whole = text.replace(SWAPPED, (mark) => SWAPS[mark]?.at(choice) ?? SWAPS[mark] ?? mark);
    return [whole, whole.slice(0, end) + text.slice(end)];
  });
}
