import { AppError } from '../../http/app-error.ts';

export type GateOptions = {
  /** How many may be inside. */
  atOnce: number;
  /** How many may wait to come in. */
  queue: number;
  waitMs: number;
  /** In the queue, for whoever has been here before: strangers alone cannot fill all of it. */
  keptPlaces: number;
};

export type Gate = {
  run<T>(work: () => Promise<T>, options?: { isKnown: boolean }): Promise<T>;
};

const RETRY_AFTER_SECONDS = 5;

/** A bound on work of one kind. What cannot start in time is refused; who is known comes first. */
export function createGate({ atOnce, queue, waitMs, keptPlaces }: GateOptions): Gate {
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let running = 0;

  async function enter(isKnown: boolean): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const places = isKnown ? queue + keptPlaces : queue;
    if (known.length + strangers.length >= places) throw busy();
    const waiting = isKnown ? known : strangers;
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

  function leave(): void {
    const next = known.shift() ?? strangers.shift();
    // The place passes on directly, so `running` stays and nobody can slip in between.
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async run(work, { isKnown } = { isKnown: false }) {
      await enter(isKnown);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function busy(): AppError {
  return new AppError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
