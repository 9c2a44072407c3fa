export interface MenuEntry {
  text: string;
}

/**
 * Which entry a key leads to: arrows go round, Home and End to the ends, a letter to the next
 * entry that starts with it. Undefined for any other key. `current` is -1 when none has the focus.
 */
export function menuTarget(
  key: string,
  entries: readonly MenuEntry[],
  current: number,
): number | undefined {
  const count = entries.length;
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (current + 1) % count;
  if (key === 'ArrowUp') return (Math.max(current, 0) - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key.length !== 1 || key === ' ') return undefined;
  const letter = key.toLowerCase();
  for (let step = 1; step <= count; step += 1) {
    const index = (current + step + count) % count;
    if (entries[index]?.text.trim().toLowerCase().startsWith(letter) === true) return index;
  }
  return undefined;
}
