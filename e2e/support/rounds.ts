/** What depends on moments is tried more than once: seldom in the quick run, often in the long one. */
export const ROUNDS = Number(process.env['BROWSER_ROUNDS'] ?? 1);

/** Bounds what hangs, whatever the number of rounds. */
export const ROUNDS_TIMEOUT_MS = 30_000 + ROUNDS * 15_000;

export async function everyRound(play: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) await play(round);
}
