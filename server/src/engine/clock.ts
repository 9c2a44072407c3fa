import { clockDistance } from '@meridian/contract/engine';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

const WARN_OFFSET_MS = 250;
/** Beyond this the machine's clock is wrong or jumping; times in the log and in records would lie. */
const MAX_OFFSET_MS = 5_000;
/** Half a minute of heartbeats; clocks drift apart in the long run. */
const READINGS = 6;
/** A timer may fire up to a millisecond before its time. */
const TIMER_ERROR_MS = 1;
const MAX_TIMEOUT_MS = 60_000;

/** Goes on evenly when the machine's clock is set: nothing is sent early until the next reading. */
export const ownTime = () => performance.timeOrigin + performance.now();

export type Clock = {
  /** Milliseconds of the database's clock. */
  now: () => number;
  /** Takes in the database's time as read between two moments of `ownTime`. */
  learn: (databaseMs: number, askedAt: number, receivedAt: number) => void;
  /** By how much the machine's clock is behind the database's (below zero: ahead), where that is too far to publish. */
  offMs: () => number | null;
  /** Resolves not before that moment of the database's clock, or when the signal is aborted. */
  until: (moment: number, signal: AbortSignal) => Promise<void>;
};

/** The database's clock decides when a post is due and when a lease ends, on every machine. */
export function createClock(log: Logger): Clock {
  let offset = 0;
  let least: number[] = [];
  let hasWarned = false;
  let wasOff = false;
  const now = () => ownTime() + offset;
  const behindMs = () => now() - Date.now();
  const offMs = () => (Math.abs(behindMs()) > MAX_OFFSET_MS ? Math.round(behindMs()) : null);

  return {
    now,
    learn(databaseMs, askedAt, receivedAt) {
      // A reading is as old as its response took, so each gives a least offset; the greatest of them is
      // the nearest to the truth and still never early. One above the most that the newest reading
      // allows is from before a clock was set.
      const most = databaseMs - askedAt;
      least = [...least.slice(1 - READINGS), databaseMs - receivedAt].filter((ms) => ms <= most);
      offset = Math.max(...least);
      const isFar = Math.abs(behindMs()) > WARN_OFFSET_MS;
      const off = offMs();
      if (off !== null && !wasOff) {
        log.error(
          { offsetMs: off },
          `The clock of this machine is ${clockDistance(off)} that of the database: this engine publishes nothing until it is set`,
        );
      } else if (isFar && !hasWarned) {
        log.warn({ offsetMs: Math.round(behindMs()) }, 'The clocks of engine and database differ');
      }
      hasWarned = isFar;
      wasOff = off !== null;
    },
    offMs,
    async until(moment, signal) {
      // Asked once per round: by a second look the moment may have passed.
      for (let leftMs = moment - now(); leftMs > 0 && !signal.aborted; leftMs = moment - now()) {
        await pause(Math.min(leftMs + TIMER_ERROR_MS, MAX_TIMEOUT_MS), signal);
      }
    },
  };
}

/** Several times: the first reading waits for a connection and for a process that is still starting. */
export async function learnTime(db: Db, clock: Clock): Promise<void> {
  for (let reading = 1; reading <= READINGS; reading += 1) {
    const askedAt = ownTime();
    const { ms } = await db.one<{ ms: number }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
    );
    clock.learn(ms, askedAt, ownTime());
  }
}

/** Ends early, without an error, when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
