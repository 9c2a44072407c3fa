import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Ask, Client } from './http-client.ts';

const TICK_MS = 5;

/** What a stretch of load came to. */
export type Load = {
  seconds: number;
  asked: number;
  good: Answer[];
  /** 503: refused because there is too much to do. */
  shed: Answer[];
  /** Everything else: other refusals, and no answer at all. */
  other: Answer[];
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
 * except where far more is asked than the lines can take, and only the server's part is of interest.
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
  const running: Promise<void>[] = [];
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, ((performance.now() - load.startedAt) / 1000) * perSecond);
    for (; sent < due; sent += 1) {
      const dueAt = load.startedAt + (sent / perSecond) * 1000;
      running.push(
        client.ask(next(), isFromDue ? dueAt : undefined).then((answer) => load.add(answer)),
      );
    }
    await delay(TICK_MS);
  }
  await Promise.all(running);
  return load.end();
}

function begin() {
  const startedAt = performance.now();
  const load: Load = { seconds: 0, asked: 0, good: [], shed: [], other: [] };
  return {
    startedAt,
    add(answer: Answer) {
      load.asked += 1;
      const isGood = answer.status >= 200 && answer.status < 300;
      // A change that somebody else made first is an answer, not an error.
      if (isGood || answer.status === 409) load.good.push(answer);
      else if (answer.status === 503) load.shed.push(answer);
      else load.other.push(answer);
    },
    end(): Load {
      return { ...load, seconds: (performance.now() - startedAt) / 1000 };
    },
  };
}

/** The time within which this share was answered, in milliseconds. */
export function percentile(answers: readonly { ms: number }[], share: number): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function perSecond(load: Load): number {
  return Math.round(load.good.length / load.seconds);
}
