/**
 * At most one run at a time and one waiting. Whoever asks meanwhile shares the waiting run, which
 * has yet to begin and so will see everything that was there when it was asked for.
 */
export function sharedTurns<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | null = null;

  async function takeTurn(): Promise<T> {
    // However the one before ends, that is its callers' matter.
    await Promise.allSettled([current]);
    const turn = run();
    current = turn;
    waiting = null;
    return turn;
  }

  return () => (waiting ??= takeTurn());
}
