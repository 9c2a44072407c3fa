import type { Cause } from '@meridian/contract/cause-words';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { HostSignal } from './outcome.ts';

export type HostState = 'OPEN' | 'SLOW' | 'DOWN' | 'LIMITED';

type Trouble = (typeof TROUBLES)[keyof typeof TROUBLES];
const TROUBLES = {
  down: 'host_down',
  slow: 'host_slow',
  unreachable: 'network_unreachable',
  limited: 'rate_limited_host',
} as const;

export type Permit =
  | { kind: 'go'; leave: (signal: HostSignal | 'no call') => void }
  | {
      kind: 'wait';
      inMs: number;
      because: Trouble | 'account_limited' | 'busy';
    };

export type HostLimits = { concurrency: number; perSecond: () => number };

type LimiterOptions = {
  host: string;
  limits: HostLimits;
  now: () => number;
  slots: { take(): boolean; free(): void };
  onChange: () => void;
};

const FAILURES_TO_OPEN = 5;
const OPEN_MS = { first: 5_000, most: 300_000 } as const;
const SLOW_MS = 3_000;
const QUEUE_MS = 2_000;
const QUEUE_LEAST = 32;
const PROBE_MS = 2_000;
export const BUSY_MS_MOST = 30_000;

const OVER: Permit = { kind: 'wait', inMs: 0, because: 'busy' };

type Waiting = { did: string; resolve: (permit: Permit) => void };

/** A slow or dead host slows no other one: calls beyond what it takes in two seconds come back later. */
function createHostLimiter({ host, limits, now, slots, onChange }: LimiterOptions) {
  const queue: Waiting[] = [];
  const busy = new Set<string>();
  const limitedAccounts = new Map<string, number>();
  let state: HostState = 'OPEN';
  let trouble: Trouble = 'host_down';
  let since = now();
  let retryAt = 0;
  let failures = 0;
  let openings = 0;
  let limit = limits.concurrency;
  let latencyMs = 100;
  let tokens = 1;
  let refilledAt = now();
  let timer: NodeJS.Timeout | undefined;
  let lastOkAt: number | null = null;
  let isOver = false;
  /** By then the posts that were sent away, as the host was busy, will have had their turn. */
  let bookedUntil = 0;

  function become(next: HostState, why: Trouble, until = 0): void {
    trouble = why;
    if (state === next && retryAt === until) return;
    if (state !== next) since = now();
    state = next;
    retryAt = until;
    onChange();
  }

  function isClosed(): boolean {
    return (state === 'DOWN' || state === 'LIMITED') && (now() < retryAt || busy.size > 0);
  }

  function wait(): Permit {
    const inMs = Math.max(retryAt - now(), PROBE_MS) * (1 + Math.random() / 5);
    return { kind: 'wait', inMs, because: trouble };
  }

  function refill(): void {
    const rate = limits.perSecond();
    // The time passed is never below zero, even when the database's clock was set back.
    const passedMs = Math.max(0, now() - refilledAt);
    if (rate === Infinity) tokens = Infinity;
    else tokens = Math.min(Math.max(1, rate), tokens + (passedMs / 1000) * rate);
    refilledAt = now();
  }

  /** One call at a time goes to a repository: the host would queue them anyway. */
  function pump(): void {
    if (isClosed()) {
      for (const { resolve } of queue.splice(0)) resolve(wait());
      return;
    }
    refill();
    // After a failure one call probes the host.
    const most = state === 'OPEN' || state === 'SLOW' ? Math.floor(limit) : 1;
    while (queue.length > 0 && busy.size < most) {
      if (tokens < 1) {
        timer ??= setTimeout(() => {
          timer = undefined;
          pump();
        }, 1000 / limits.perSecond());
        return;
      }
      const index = queue.findIndex(({ did }) => !busy.has(did));
      if (index === -1 || !slots.take()) return;
      const [next] = queue.splice(index, 1);
      if (next === undefined) return;
      tokens -= 1;
      start(next);
    }
  }

  function start({ did, resolve }: Waiting): void {
    const startedAt = now();
    let isLeft = false;
    busy.add(did);
    resolve({
      kind: 'go',
      leave(signal) {
        if (isLeft) return;
        isLeft = true;
        busy.delete(did);
        if (signal !== 'no call') {
          if (signal.state === 'account_limited') limitedAccounts.set(did, signal.until);
          latencyMs += (now() - startedAt - latencyMs) / 8;
          learn(signal, startedAt);
        }
        slots.free();
        pump();
      },
    });
  }

  function learn(signal: HostSignal, startedAt: number): void {
    // Calls that were under way when the host was closed say nothing new.
    const isProbe = state === 'DOWN' && startedAt >= since;
    if ((state === 'DOWN' && !isProbe) || (state === 'LIMITED' && now() < retryAt)) return;
    if (signal.state === 'ok' || signal.state === 'account_limited') {
      failures = 0;
      openings = 0;
      lastOkAt = now();
      onChange();
      limit = Math.min(limits.concurrency, limit + 1 / limit);
      return become(latencyMs > SLOW_MS ? 'SLOW' : 'OPEN', TROUBLES.slow);
    }
    const why = TROUBLES[signal.state];
    if (signal.state === 'limited') return become('LIMITED', why, signal.until);
    limit = Math.max(1, limit / 2);
    failures += 1;
    if (isProbe || failures >= FAILURES_TO_OPEN) {
      become('DOWN', why, now() + Math.min(OPEN_MS.first * 2 ** openings, OPEN_MS.most));
      openings += 1;
    } else if (signal.state === 'slow') {
      become('SLOW', why);
    }
  }

  return {
    enter(did: string): Promise<Permit> {
      if (isOver) return Promise.resolve(OVER);
      if (isClosed()) return Promise.resolve(wait());
      const limitedMs = (limitedAccounts.get(did) ?? 0) - now();
      if (limitedMs > 0) {
        return Promise.resolve({ kind: 'wait', inMs: limitedMs, because: 'account_limited' });
      }
      limitedAccounts.delete(did);
      const perCallMs = Math.max(latencyMs / limit, 1000 / limits.perSecond());
      if (queue.length >= Math.max(QUEUE_LEAST, QUEUE_MS / perCallMs)) {
        // They come back one after the other: all at once, most would be sent away again.
        bookedUntil = Math.max(bookedUntil, now() + queue.length * perCallMs) + perCallMs;
        const inMs = Math.min(bookedUntil - now(), BUSY_MS_MOST);
        return Promise.resolve({ kind: 'wait', inMs, because: 'busy' });
      }
      return new Promise((resolve) => {
        queue.push({ did, resolve });
        pump();
      });
    },
    pump,
    isWaiting: () => queue.length > 0,
    view: () => ({
      host,
      state,
      since,
      cause: state === 'OPEN' ? null : trouble,
      retryAt: retryAt > now() ? retryAt : null,
      lastOkAt,
    }),
    close(): void {
      isOver = true;
      clearTimeout(timer);
      for (const { resolve } of queue.splice(0)) resolve(OVER);
    },
  };
}

type HostLimiter = ReturnType<typeof createHostLimiter>;

type HostsOptions = {
  concurrency: number;
  limitsOf: (host: string) => HostLimits;
  now: () => number;
};

export function createHosts({ concurrency, limitsOf, now }: HostsOptions) {
  const limiters = new Map<string, HostLimiter>();
  const changed = new Set<string>();
  let free = concurrency;

  const slots = {
    take(): boolean {
      if (free === 0) return false;
      free -= 1;
      return true;
    },
    free(): void {
      free += 1;
      // The host itself goes on after this; others may wait for a slot as well.
      setImmediate(pumpOthers);
    },
  };

  function pumpOthers(): void {
    for (const limiter of limiters.values()) {
      if (free === 0) return;
      if (limiter.isWaiting()) limiter.pump();
    }
  }

  function limiterOf(host: string): HostLimiter {
    let limiter = limiters.get(host);
    if (limiter === undefined) {
      limiter = createHostLimiter({
        host,
        limits: limitsOf(host),
        now,
        slots,
        onChange: () => changed.add(host),
      });
      limiters.set(host, limiter);
    }
    return limiter;
  }

  return {
    enter: (host: string, did: string): Promise<Permit> => limiterOf(host).enter(did),
    takeChanges() {
      const hosts = [...changed].map((host) => limiterOf(host).view());
      changed.clear();
      return hosts;
    },
    close(): void {
      for (const limiter of limiters.values()) limiter.close();
    },
  };
}

export type Hosts = ReturnType<typeof createHosts>;

export type HostView = {
  host: string;
  state: HostState;
  cause: Cause | null;
  since: number;
  retryAt: number | null;
  lastOkAt: number | null;
};

export async function saveHosts(db: Db, hosts: readonly HostView[]): Promise<void> {
  await db.execute(sql`
    insert into hosts as h (host, state, state_since, retry_at, cause, last_ok_at)
    select host, state, to_timestamp(since / 1000), to_timestamp(retry_ms / 1000), cause,
      to_timestamp(ok_ms / 1000)
    from unnest(${hosts.map(({ host }) => host)}::text[], ${hosts.map(({ state }) => state)}::text[],
                ${hosts.map(({ since }) => since)}::float8[], ${hosts.map(({ retryAt }) => retryAt)}::float8[],
                ${hosts.map(({ lastOkAt }) => lastOkAt)}::float8[], ${hosts.map(({ cause }) => cause)}::text[])
      as v (host, state, since, retry_ms, ok_ms, cause)
    order by host
    on conflict (host) do update set state = excluded.state,
      -- Each worker counts a state from its own first call.
      state_since = case when h.state = excluded.state then h.state_since else excluded.state_since end,
      retry_at = excluded.retry_at, cause = excluded.cause, last_ok_at = greatest(h.last_ok_at, excluded.last_ok_at)`);
}
