import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Ask, Client } from './http-client.ts';

const TICK_MS = 5;

/**
 * What a stretch of load came to. Times in milliseconds, and nothing else of an answer is kept: of
 * a million of them the generator itself would come to a halt, and be taken for the server.
 */
export type Load = {
  seconds: number;
  asked: number;
  good: number[];
  /** 503: refused because there is too much to do. */
  shed: number[];
  /** How many of those did not say when to come again. */
  shedSilently: number;
  /** Everything else by its status, or by why there was no answer at all. */
  other: Map<string, number>;
  /** Those for which a line had to be opened, once more. */
  firsts: number[];
};

/** As many as the clients manage, each waiting for its answer. */
export async function atOnce(
  client: Client,
  clients: number,
  seconds: number,
  next: () => Ask,
): Promise<Load> {
  const load = begin();
  const until = load.startedAt + seconds * 1000;
  const run = async () => {
    while (performance.now() < until) load.add(await client.ask(next()));
  };
  await Promise.all(Array.from({ length: clients }, run));
  return load.end();
}

/**
 * So many a second, whether or not earlier ones were answered. Waiting for a free line counts as well,
 * except where far more is asked than the connections can take, and only the server's part is of interest.
 */
export async function atRate(
  client: Client,
  perSecond: number,
  seconds: number,
  next: () => Ask,
  { isFromDue = true } = {},
): Promise<Load> {
  const load = begin();
  const total = Math.floor(perSecond * seconds);
  const allAnswered = Promise.withResolvers<void>();
  let answered = 0;
  const ask = async (dueAt: number | undefined) => {
    load.add(await client.ask(next(), dueAt));
    answered += 1;
    if (answered === total) allAnswered.resolve();
  };
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, ((performance.now() - load.startedAt) / 1000) * perSecond);
    for (; sent < due; sent += 1) {
      void ask(isFromDue ? load.startedAt + (sent / perSecond) * 1000 : undefined);
    }
    await delay(TICK_MS);
  }
  if (answered < total) await allAnswered.promise;
  return load.end();
}

function begin() {
  const startedAt = performance.now();
  const load: Load = {
    seconds: 0,
    asked: 0,
    good: [],
    shed: [],
    shedSilently: 0,
    other: new Map(),
    firsts: [],
  };
  return {
    startedAt,
    add({ status, ms, hasRetryAfter, isFirst, failure }: Answer) {
      load.asked += 1;
      if (isFirst) load.firsts.push(ms);
      const isGood = status >= 200 && status < 300;
      // A change that another client made first is a response, not an error.
      if (isGood || status === 409) load.good.push(ms);
      else if (status === 503) {
        load.shed.push(ms);
        if (!hasRetryAfter) load.shedSilently += 1;
      } else {
        const what = failure ?? String(status);
        load.other.set(what, (load.other.get(what) ?? 0) + 1);
      }
    },
    end(): Load {
      return { ...load, seconds: (performance.now() - startedAt) / 1000 };
    },
  };
}

/** The time within which this share was answered, in milliseconds. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = Float64Array.from(times).toSorted();
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function perSecond(load: Load): number {
  return Math.round(load.good.length / load.seconds);
}

/** Neither a good answer nor a refusal for too much to do. */
export function countOther(load: Load): number {
  return [...load.other.values()].reduce((sum, count) => sum + count, 0);
}

/** What those were: `ECONNRESET 3, 500 1`. */
export function namesOfOther(load: Load): string {
  return [...load.other].map(([what, count]) => `${what} ${count}`).join(', ');
}

/** Everything that is not a good answer. */
export function countErrors(load: Load): number {
  return load.shed.length + countOther(load);
}
