import { AppError } from '../../http/app-error.ts';

export type HashGateOptions = { atOnce: number; queue: number; waitMs: number };
export type HashGate = {
  run<T>(work: () => Promise<T>, options?: { isKnown: boolean }): Promise<T>;
};

const DEFAULTS: HashGateOptions = { atOnce: 2, queue: 16, waitMs: 3_000 };
const RETRY_AFTER_SECONDS = 5;
/** In the queue, for whoever has been here before: strangers alone cannot fill all of it. */
const KEPT_PLACES = 1;

/**
 * Password hashes take a core and 19 MiB each: without a bound a flood of logins would take all of
 * both from every other request. What cannot start in time is refused.
 */
export function createHashGate(options: Partial<HashGateOptions> = {}): HashGate {
  const { atOnce, queue, waitMs } = { ...DEFAULTS, ...options };
  const waiting: (() => void)[] = [];
  let running = 0;

  async function enter(places: number): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= places) throw busy();
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
    const next = waiting.shift();
    // The place passes on directly, so `running` stays and nobody can slip in between.
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async run(work, { isKnown } = { isKnown: false }) {
      await enter(isKnown ? queue + KEPT_PLACES : queue);
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
