import type { Tone } from './tone.ts';

/** The seven colors, in the order in which slices without one of their own take them. */
const CYCLE: readonly Tone[] = ['blue', 'green', 'amber', 'violet', 'red', 'gray', 'orange'];

/**
 * The color of each slice: its own where it has one; the others go round the seven, starting with
 * those that no slice of this pie has.
 */
export function pieTones(own: readonly (Tone | undefined)[]): Tone[] {
  const free = CYCLE.filter((tone) => !own.includes(tone));
  const round = free.length > 0 ? free : CYCLE;
  let next = 0;
  return own.map((tone) => {
    if (tone !== undefined) return tone;
    const taken = round[next % round.length] ?? 'gray';
    next += 1;
    return taken;
  });
}
