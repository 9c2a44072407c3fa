import { DatabaseUnavailable } from './errors.ts';

export type Locked = 'wait' | 'skip';

type Options = {
  maxItems?: number;
  /** The pause lets a trickle of items share statements; enough items end it. */
  gapMs?: () => number;
};

const ENOUGH = 100;

/** An item whose row is locked keeps no other waiting: it is left out and then run by itself. */
export function createBatcher<Item, Result>(
  run: (items: Item[], locked: Locked) => Promise<Map<Item, Result>>,
  { maxItems = 500, gapMs = () => 0 }: Options = {},
) {
  type Waiting = {
    item: Item;
    resolve: (result: Result | undefined | Promise<Result | undefined>) => void;
    reject: (error: unknown) => void;
  };
  let waiting: Waiting[] = [];
  let isRunning = false;
  let endGap: (() => void) | null = null;
  const oneByOne = createOneByOne();
  const runAlone = (item: Item) => oneByOne(async () => (await run([item], 'wait')).get(item));

  async function runBatch(batch: Waiting[]): Promise<void> {
    try {
      const results = await run(
        batch.map(({ item }) => item),
        'skip',
      );
      for (const { item, resolve } of batch) {
        resolve(results.has(item) ? results.get(item) : runAlone(item));
      }
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
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      await runBatch(batch);
      if (gapMs() > 0 && waiting.length < ENOUGH) await gap();
    }
    isRunning = false;
  }

  async function gap(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    endGap = resolve;
    const timer = setTimeout(resolve, gapMs());
    await promise;
    clearTimeout(timer);
  }

  return (item: Item): Promise<Result | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= ENOUGH) endGap?.();
      if (isRunning) return;
      isRunning = true;
      // The run starts after the current task, so that items added in one go share a batch.
      setImmediate(() => void runAll());
    });
}

export function createOneByOne() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  };
}
