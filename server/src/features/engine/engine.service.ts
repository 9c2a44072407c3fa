import { HOLDS, isCause, isHold, operatorSentence } from '@meridian/contract/causes';
import type { EngineHost, EngineState, EngineWorker } from '@meridian/contract/engine';
import type { Database } from '../../db/database.ts';
import * as store from './engine.store.ts';

export type EngineOptions = store.ClaimRules & { isNetworkOff: boolean };

export function createEngineService(db: Database, options: EngineOptions) {
  const { lateLimitMinutes, isNetworkOff } = options;

  /** Whether it publishes, and how late; without what it has to do. */
  async function condition() {
    const service = await store.readService(db);
    const workers = await store.listWorkers(db);
    const alive = workers.filter(({ isAlive, clockOffMs }) => isAlive && clockOffMs === null);
    return {
      ...service,
      isAlive: alive.length > 0,
      // A worker that stops cleanly takes its row with it.
      isExpected: !isNetworkOff || workers.length > 0,
      lastSeenAt: latest(workers.map(({ seenAt }) => seenAt)),
      network: alive[0]?.network ?? null,
      workers: workers.map(workerOf),
      lastMinute: lastMinuteOf(alive),
    };
  }

  return {
    condition,

    async get(): Promise<EngineState> {
      // One after the other: a call that every open console polls must not take half of the pool.
      const state = await condition();
      const waiting = await store.readWaiting(db, options);
      const held = await store.countHeld(db);
      const hosts = await store.listHosts(db);
      const nextHour = await store.countNextHour(db);
      return {
        ...state,
        lateLimitMinutes,
        waiting,
        held: held.map(({ hold, count }) => ({ hold, sentence: sentenceOfHold(hold), count })),
        hosts: hosts.map(hostOf),
        nextHour,
      };
    },
  };
}

function workerOf(row: store.WorkerRow): EngineWorker {
  const { lastPublished: _, p50Ms: __, p95Ms: ___, p99Ms: ____, maxMs: _____, ...worker } = row;
  return { ...worker, lastMinute: lastMinuteOf([row]) };
}

/** Percentiles cannot be added up: the middle is weighted, the end is that of the slowest. */
function lastMinuteOf(rows: readonly store.WorkerRow[]): EngineState['lastMinute'] {
  const published = sum(rows.map(({ lastPublished }) => lastPublished ?? 0));
  const measured = rows.filter(({ lastPublished, p50Ms }) => lastPublished && p50Ms !== null);
  if (measured.length === 0) return { published, lateness: null };
  const p95s = measured.flatMap(({ p95Ms }) => p95Ms ?? []);
  const weighted = measured.map(({ lastPublished, p50Ms }) => (lastPublished ?? 0) * (p50Ms ?? 0));
  return {
    published,
    lateness: {
      p50Ms: sum(weighted) / sum(measured.map(({ lastPublished }) => lastPublished ?? 0)),
      ...(p95s.length > 0 && { p95Ms: Math.max(...p95s) }),
      p99Ms: Math.max(...measured.map(({ p99Ms }) => p99Ms ?? 0)),
      maxMs: Math.max(...measured.map(({ maxMs }) => maxMs ?? 0)),
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Times of one form are in the order of their text. */
function latest(times: readonly string[]): string | null {
  return times.toSorted().at(-1) ?? null;
}

/** A word that this version does not know is shown as it is. */
export function sentenceOfHold(hold: string): string {
  return isHold(hold) ? HOLDS[hold] : hold;
}

function hostOf(row: EngineHost): EngineHost {
  const { host, cause, since, retryAt } = row;
  if (cause === null || !isCause(cause)) return row;
  // One sentence names the beginning, the others the end.
  const time = cause === 'host_down' ? since : retryAt;
  return { ...row, cause: operatorSentence(cause, { host, time: time && new Date(time) }) };
}
