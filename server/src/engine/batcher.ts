import { DatabaseUnavailable } from '../db/errors.ts';

/**
 * Runs work on many items with one statement: items that arrive while a batch runs form the next one.
 * On demand, so that it costs nothing while nothing arrives.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<(item: Item) => Result>,
  { maxItems = 500, minGapMs = 0 } = {},
) {
  type Waiting = {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  };
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function runBatch(batch: Waiting[]): Promise<void> {
    try {
      const resultOf = await run(batch.map(({ item }) => item));
      for (const { item, resolve } of batch) resolve(resultOf(item));
    } catch (error) {
      if (batch.length > 1 && !(error instanceof DatabaseUnavailable)) {
        // One item may be at fault: the others must not fail with it.
        for (const single of batch) await runBatch([single]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  async function runAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      await runBatch(batch);
      if (minGapMs > 0) await new Promise((resolve) => setTimeout(resolve, minGapMs));
    }
    isRunning = false;
  }

  return {
    add(item: Item): Promise<Result> {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // After the current task, so that items added in one go share a batch.
        if (!isRunning) {
          isRunning = true;
          setImmediate(() => void runAll());
        }
      });
    },
  };
}
