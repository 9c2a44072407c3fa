import { AppError } from './app-error.ts';

export type ConcurrencyLimitOptions = {
  /** How many pieces of work run at the same time. */
  atOnce: number;
  /** How many wait for a free slot. */
  queue: number;
  waitMs: number;
  /** Further places in the queue, for known clients only: unknown clients cannot fill all of it. */
  reserved?: number;
};

export type ConcurrencyLimit = {
  run<T>(work: () => Promise<T>, options?: { isKnown: boolean }): Promise<T>;
};

const RETRY_AFTER_SECONDS = 5;

/**
 * Runs work of one kind with bounded concurrency. Known clients are served first; work that cannot
 * start in time is refused with 503.
 */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions): ConcurrencyLimit {
  const { atOnce, queue, waitMs, reserved = 0 } = options;
  const known: (() => void)[] = [];
  const unknown: (() => void)[] = [];
  let running = 0;

  async function acquire(isKnown: boolean): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const capacity = isKnown ? queue + reserved : queue;
    if (known.length + unknown.length >= capacity) throw busy();
    const waiting = isKnown ? known : unknown;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(admit), 1);
      reject(busy());
    }, waitMs);
    const admit = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.push(admit);
    await promise;
  }

  function release(): void {
    const next = known.shift() ?? unknown.shift();
    // The slot passes on directly, so `running` stays and no newcomer can take it in between.
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async run(work, { isKnown } = { isKnown: false }) {
      await acquire(isKnown);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

/** A limit for each person alone, so that none takes the slots of all others. */
export function createLimitPerPerson(options: ConcurrencyLimitOptions) {
  const people = new Map<string, { limit: ConcurrencyLimit; calls: number }>();
  return async function run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const own = people.get(userId) ?? { limit: createConcurrencyLimit(options), calls: 0 };
    people.set(userId, own);
    own.calls += 1;
    try {
      return await own.limit.run(work);
    } finally {
      own.calls -= 1;
      if (own.calls === 0) people.delete(userId);
    }
  };
}

function busy(): AppError {
  return new AppError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
