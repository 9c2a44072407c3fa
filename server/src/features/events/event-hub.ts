import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_HEARTBEAT_SECONDS, EVENT_TOPICS } from '@meridian/contract/events';
import type { EventTopic } from '@meridian/contract/events';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { listenUntil } from '../../db/listener.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError } from '../../http/app-error.ts';
import type { SessionsService } from '../sessions/sessions.service.ts';
import { changedEvent, EventStream, HEARTBEAT } from './event-stream.ts';
import * as store from './events.store.ts';

/** At most one event in this time, so at most two in a second. */
const GAP_MS = 500;
/** Without a notification the position is read and the sessions are checked this often. */
const POLL_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;
/** `audit_log`: an entry was added. `events`: the payload is a topic that has changed. */
const CHANNELS = ['audit_log', 'events'];

const MAX_STREAMS = 500;
const MAX_STREAMS_PER_ADMIN = 16;

type HubOptions = {
  db: Database;
  connection: ClientConfig;
  sessions: Pick<SessionsService, 'isLive'>;
  log: Logger;
};

/**
 * All streams of this process: one listening connection and one loop for however many there are, and
 * neither while there is none.
 */
export function createEventHub({ db, connection, sessions, log }: HubOptions) {
  const streams = new Set<EventStream>();
  const notified = new Set<EventTopic>();
  let position: store.Position | null = null;
  let wake = new AbortController();
  let running: Promise<void> | null = null;
  let isClosing = false;

  function onNotification(channel: string, payload: string): void {
    const topic = EVENT_TOPICS.find((known) => known === payload);
    if (channel === 'events' && topic !== undefined) notified.add(topic);
    wake.abort();
  }

  /** Streams whose session has ended, in whatever way, end too. One query for all of them. */
  async function endDeadSessions(): Promise<void> {
    await Promise.all(
      [...streams].map(async (stream) => {
        if (!(await sessions.isLive(stream.tokenHash))) stream.finish();
      }),
    );
  }

  async function tellChanges(): Promise<void> {
    const now = await store.readPosition(db);
    const topics = new Set(await store.topicsBetween(db, position ?? now, now));
    position = now;
    for (const topic of notified) topics.add(topic);
    notified.clear();
    if (topics.size === 0) return;
    const event = changedEvent(store.positionText(now), [...topics]);
    for (const stream of streams) stream.send(event);
  }

  async function run(): Promise<void> {
    const stopped = new AbortController();
    const listening = listenUntil(stopped.signal, {
      connection,
      name: 'meridian-events',
      channels: CHANNELS,
      onNotification,
      onError: (error) =>
        log.debug({ err: error }, 'The stream of events cannot listen; changes are polled'),
    });
    let heartbeatAt = performance.now();
    while (streams.size > 0) {
      wake = new AbortController();
      try {
        await endDeadSessions();
        await tellChanges();
      } catch (error) {
        // Read again by the next round, from the same position.
        log.debug({ err: error }, 'The stream of events cannot read');
      }
      if (performance.now() - heartbeatAt >= EVENT_HEARTBEAT_SECONDS * 1000 - POLL_MS) {
        heartbeatAt = performance.now();
        for (const stream of streams) stream.send(HEARTBEAT);
      }
      await delay(GAP_MS, undefined, { ref: false });
      await delay(POLL_MS - GAP_MS, undefined, { ref: false, signal: wake.signal }).catch(() => {});
    }
    position = null;
    stopped.abort();
    await listening;
  }

  /** The loop ends by itself with the last stream. */
  function start(): void {
    running ??= run().finally(() => {
      running = null;
      if (streams.size > 0) start();
    });
  }

  function admit({ adminId }: Actor): void {
    const own = [...streams].filter((stream) => stream.adminId === adminId).length;
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (own >= MAX_STREAMS_PER_ADMIN) throw new AppError('too_many_requests', retry);
    if (isClosing || streams.size >= MAX_STREAMS) throw new AppError('unavailable', retry);
  }

  return {
    /** The first event says where the stream begins, and what changed since the page may have read it. */
    async open(actor: Actor, lastEventId: string | undefined): Promise<EventStream> {
      admit(actor);
      const stream = new EventStream(actor);
      stream.once('close', () => streams.delete(stream));
      // Before the position is read: what changes from there on is told to this stream as well.
      streams.add(stream);
      try {
        const now = await store.readPosition(db);
        const topics = await store.topicsSince(db, lastEventId, now);
        position ??= now;
        stream.send(changedEvent(store.positionText(now), topics));
      } catch (error) {
        stream.destroy();
        throw error;
      }
      start();
      return stream;
    },

    /** Of a page that has read nothing yet. */
    async pageEventId(): Promise<string> {
      return store.pageEventId(await store.readPosition(db));
    },

    size: () => streams.size,

    async close(): Promise<void> {
      isClosing = true;
      for (const stream of streams) {
        stream.finish();
        streams.delete(stream);
      }
      wake.abort();
      await running;
    },
  };
}
