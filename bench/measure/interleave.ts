import { summarise } from './percentiles.ts';
import type { Summary } from './percentiles.ts';

export type Pace = {
  /** Ends after the round in which this time is over. */
  budgetMs: number;
  perRound: number;
  /** Runs of each side that are not counted. */
  warmUp: number;
};
type Sides<Name extends string> = Record<Name, () => Promise<unknown>>;

const FEWEST_ROUNDS = 5;
/** So much of the budget may be spent to get that far when one side is very slow. */
const PATIENCE = 4;

/**
 * Takes turns between the sides in small rounds, so that whatever else the machine does hits all
 * of them alike. Each round begins with another side.
 */
export async function interleave<Name extends string>(
  sides: Sides<Name>,
  { budgetMs, perRound, warmUp }: Pace,
): Promise<Record<Name, Summary>> {
  // Object.keys forgets the type of the names.
  const names = Object.keys(sides) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (const name of names) await repeat(sides[name], warmUp);
  const startedAt = performance.now();
  const isOpen = (round: number) =>
    performance.now() - startedAt < (round < FEWEST_ROUNDS ? budgetMs * PATIENCE : budgetMs);
  for (let round = 0; round === 0 || isOpen(round); round += 1) {
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length];
      if (name === undefined) continue;
      // The first after another side finds caches cold that it left warm.
      await sides[name]();
      samples.get(name)?.push(...(await repeat(sides[name], perRound)));
    }
  }
  const entries = names.map((name) => [name, summarise(samples.get(name) ?? [])]);
  // One entry per name, made in the line above.
  return Object.fromEntries(entries) as Record<Name, Summary>;
}

async function repeat(run: () => Promise<unknown>, times: number): Promise<number[]> {
  const taken: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const startedAt = performance.now();
    await run();
    taken.push(performance.now() - startedAt);
  }
  return taken;
}
