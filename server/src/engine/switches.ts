import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { listenUntil } from '../db/listener.ts';
import { sql } from '../db/sql.ts';
import { LAST_INSTANT_MS } from '../db/columns.ts';
import type { ClaimedPost } from './claim.ts';

const CLAIM_MAX_MS = 15_000;
/** A reading of longer ago may be outdated: the process was paused, or the database is gone. */
const FRESH_MS = 2_000;

/** Our payloads are a word and an id; every role that may connect can send others. */
const LONGEST_PAYLOAD = 50;

export type StopReason = 'suspended' | 'user_off' | 'taken_back' | 'outdated';

export type HeldPost = { id: string; userId: string; attempt: number; scheduledAt: Date };

export type Switches = {
  /** The engine asks this right before each call. It reads memory alone. */
  stopReason(post: HeldPost): StopReason | null;
  /** `claimedAt` is `performance.now()` before the claim, which checked the user itself. */
  hold(post: HeldPost, claimedAt: number): void;
  letGo(post: HeldPost): void;
  poll(): Promise<void>;
  refresh(): Promise<void>;
  isSuspended(): boolean;
  close(): Promise<void>;
};

/** Notifications of the database bring a change within milliseconds; `poll` is the fallback. */
export async function openSwitches(options: {
  db: Db;
  connection: ClientConfig;
  log: Logger;
  onWake: () => void;
  onSuspended: (ago: { ms: number }) => void;
}): Promise<Switches> {
  const { db, connection, log, onWake, onSuspended } = options;
  /** An earlier attempt of a post that is still under way is taken back. */
  const held = new Map<string, { post: HeldPost; claimedAt: number; isTakenBack: boolean }>();
  const offUsers = new Map<string, number>();
  /** A post named here may be claimed already, but not yet held. */
  const notified = new Map<string, number>();
  const closing = new AbortController();
  let suspended = false;
  /** This is true at the start, so that a suspension of before is not a new one. */
  let wasSuspended = true;
  let settingsReads = 0;
  let polledAt = -Infinity;
  let refreshing: Promise<void> | null = null;

  async function readSettings(): Promise<void> {
    settingsReads += 1;
    const read = settingsReads;
    const row = await db.one<{ suspended: boolean; ago_ms: number }>(sql`
      select is_service_suspended as suspended,
        (extract(epoch from clock_timestamp() - suspended_at) * 1000)::float8 as ago_ms
      from service_settings`);
    // A read that was overtaken may be older than the switch.
    if (read !== settingsReads) return;
    suspended = row.suspended;
    if (suspended && !wasSuspended) onSuspended({ ms: row.ago_ms });
    wasSuspended = suspended;
  }

  async function readUser(id: string): Promise<void> {
    const row = await db.maybeOne<{ may: boolean }>(sql`
      select publishing_hold(u, a, '') is null as may
      from users u left join accounts a on a.user_id = u.id where u.id = ${id}`);
    if (row?.may === true) offUsers.delete(id);
    else offUsers.set(id, performance.now());
  }

  function remember(payload: string): void {
    if (payload.length > LONGEST_PAYLOAD) return;
    const now = performance.now();
    notified.delete(payload);
    notified.set(payload, now);
    for (const [old, at] of notified) {
      if (at > now - CLAIM_MAX_MS) break;
      notified.delete(old);
    }
  }

  async function onNotification(payload: string): Promise<void> {
    remember(payload);
    const [topic, id = ''] = payload.split(':');
    const own = held.get(id);
    // The worker stops before it reads: the query takes longer than a call may wait.
    if (topic === 'settings') {
      suspended = true;
      await readSettings();
    } else if (topic === 'user') {
      const isHeld = [...held.values()].some(({ post }) => post.userId === id);
      if (isHeld) offUsers.set(id, performance.now());
      if (offUsers.has(id)) await readUser(id);
    } else if (topic === 'post' && own !== undefined) {
      // A rescheduled post is taken back too: it is released, and planned for its new time.
      own.isTakenBack = true;
    }
    onWake();
  }

  async function poll(): Promise<void> {
    const startedAt = performance.now();
    await readSettings();
    const posts = [...held.values()].map(({ post }) => post);
    if (posts.length === 0) return offUsers.clear();
    const rows = await db.many<{ id: string; is_user: boolean }>(sql`
      select h.id, p.id is not null as is_user
      from unnest(${posts.map(({ id }) => id)}::uuid[], ${posts.map(({ attempt }) => attempt)}::integer[],
                  ${posts.map(({ scheduledAt }) => scheduledAt.getTime())}::float8[])
        as h (id, attempt, scheduled_ms)
      left join posts p on p.id = h.id and p.attempt = h.attempt and (p.status = 'PROCESSING') is true
        and least(greatest(floor(extract(epoch from p.scheduled_at) * 1000)::float8, ${-LAST_INSTANT_MS}::float8),
                  ${LAST_INSTANT_MS}::float8) = h.scheduled_ms
      left join users u on u.id = p.user_id left join accounts a on a.user_id = p.user_id
      where p.id is null or publishing_hold(u, a, '') is not null`);
    for (const row of rows) {
      const own = held.get(row.id);
      if (own === undefined || !posts.includes(own.post)) continue;
      if (row.is_user) offUsers.set(own.post.userId, performance.now());
      else own.isTakenBack = true;
    }
    polledAt = Math.max(polledAt, startedAt);
  }

  const ready = Promise.withResolvers<void>();
  let isFailing = false;
  const listening = listenUntil(closing.signal, {
    connection,
    name: 'meridian-engine-listen',
    channels: ['engine'],
    onNotification(channel, payload) {
      if (channel === '') return onConnect();
      onNotification(payload).catch((error: unknown) =>
        log.debug({ err: error }, 'Notification lost'),
      );
    },
    onError: cannotListen,
  });
  await ready.promise;

  /** Notifications that came before the connection are lost, so everything is read. */
  function onConnect(): void {
    poll()
      .then(() => {
        isFailing = false;
        ready.resolve();
        onWake();
      })
      .catch(cannotListen);
  }

  function cannotListen(error: unknown): void {
    if (!isFailing) log.warn({ err: error }, 'The engine cannot listen; switches are polled');
    isFailing = true;
    ready.resolve();
  }

  return {
    stopReason(post) {
      if (suspended) return 'suspended';
      const own = held.get(post.id);
      if (own?.post !== post || own.isTakenBack) return 'taken_back';
      if (offUsers.has(post.userId)) return 'user_off';
      const readAt = Math.max(polledAt, own.claimedAt);
      return performance.now() - readAt > FRESH_MS ? 'outdated' : null;
    },
    hold(post, claimedAt) {
      const isNewer = (payload: string) => (notified.get(payload) ?? 0) > claimedAt;
      // Nobody knows whether the change came before the claim: the post is released, and the next claim decides.
      const isTakenBack = isNewer(`post:${post.id}`);
      held.set(post.id, { post, claimedAt, isTakenBack });
      if (isNewer(`user:${post.userId}`)) offUsers.set(post.userId, performance.now());
      else if ((offUsers.get(post.userId) ?? Infinity) < claimedAt) offUsers.delete(post.userId);
    },
    letGo(post) {
      if (held.get(post.id)?.post === post) held.delete(post.id);
    },
    poll,
    refresh() {
      refreshing ??= poll()
        .catch((error: unknown) => log.warn({ err: error }, 'The engine cannot read the switches'))
        .finally(() => {
          refreshing = null;
        });
      return refreshing;
    },
    isSuspended: () => suspended,
    async close() {
      closing.abort();
      await listening;
    },
  };
}

type InHand = {
  post: ClaimedPost;
  isByHand: boolean;
  /** This is taken before the statement that gave the lease, which may have taken long. */
  leasedAt: number;
  done: Promise<void>;
};

type Taking = {
  claimedAt: number;
  isByHand?: boolean;
  work: () => Promise<void>;
};

export function createPostsInHand(options: {
  switches: Pick<Switches, 'hold' | 'letGo'>;
  now: () => number;
  log: Logger;
  most: number;
  onRoom: () => void;
}) {
  const { switches, now, log, most, onRoom } = options;
  const posts = new Map<string, InHand>();
  let wasFull = false;
  return {
    isEmpty: () => posts.size === 0,
    isFull(): boolean {
      wasFull = posts.size >= most;
      return wasFull;
    },
    isByHand: ({ id }: ClaimedPost) => posts.get(id)?.isByHand === true,

    take(post: ClaimedPost, { claimedAt, isByHand = false, work }: Taking): void {
      switches.hold(post, claimedAt);
      const done = work()
        // The lease ends, and the next attempt repeats what the journal says.
        .catch((error: unknown) =>
          log.error({ err: error, postId: post.id }, 'A delivery broke off'),
        )
        .finally(() => {
          switches.letGo(post);
          // A later attempt of the post may be in hand by now.
          if (posts.get(post.id)?.post === post) posts.delete(post.id);
          if (wasFull && posts.size < most / 2) onRoom();
        });
      posts.set(post.id, { post, isByHand, leasedAt: claimedAt, done });
    },

    async renew(leaseMs: number, renewLeases: (posts: ClaimedPost[]) => Promise<void>) {
      const startedAt = now();
      const old = [...posts.values()].filter(({ leasedAt }) => startedAt - leasedAt > leaseMs / 2);
      if (old.length === 0) return;
      await renewLeases(old.map(({ post }) => post));
      for (const one of old) one.leasedAt = startedAt;
    },

    async settled(): Promise<void> {
      await Promise.all([...posts.values()].map(({ done }) => done));
    },
  };
}
