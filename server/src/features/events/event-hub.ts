import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_HEARTBEAT_SECONDS } from '@meridian/contract/events';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { listenUntil } from '../../db/listener.ts';
import { AppError } from '../../http/app-error.ts';
import { EventStream, HEARTBEAT } from './event-stream.ts';
import type { StreamOwner } from './event-stream.ts';

const RETRY_AFTER_SECONDS = 30;

type AudienceOptions = {
  maxStreams: number;
  maxStreamsPerOwner: number;
  /** The sentence for an owner who may open no more, in place of the usual one. */
  tooMany?: string;
  /** Asking does not count as use of the session. */
  isLive: (tokenHash: Buffer) => Promise<boolean>;
  /** Sends what a new stream begins with. */
  begin: (stream: EventStream, lastEventId: string | undefined) => Promise<void>;
  /** Tells the streams what has changed. */
  tell: (streams: ReadonlySet<EventStream>) => Promise<void>;
  /** The last event of a stream whose session has ended. */
  farewell?: (stream: EventStream) => Buffer;
};

/** The open streams of one kind of client. */
class Audience {
  readonly #streams = new Set<EventStream>();
  readonly #options: AudienceOptions;
  #isClosed = false;

  constructor(options: AudienceOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Begun before it is returned, so that a refusal is a response. */
  async open(owner: StreamOwner, lastEventId: string | undefined): Promise<EventStream> {
    this.#admit(owner);
    const stream = new EventStream(owner);
    stream.once('close', () => this.#streams.delete(stream));
    // Before the position is read: what changes from there on is told to this stream as well.
    this.#streams.add(stream);
    try {
      await this.#options.begin(stream, lastEventId);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    return stream;
  }

  #admit({ ownerId }: StreamOwner): void {
    const { maxStreams, maxStreamsPerOwner, tooMany } = this.#options;
    const own = [...this.#streams].filter((stream) => stream.ownerId === ownerId).length;
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (own >= maxStreamsPerOwner) {
      throw new AppError('too_many_requests', { ...retry, ...(tooMany && { message: tooMany }) });
    }
    if (this.#isClosed || this.size >= maxStreams) throw new AppError('unavailable', retry);
  }

  /** Streams whose session has ended, in whatever way, end too. One query for all of them. */
  async endDeadSessions(): Promise<void> {
    const { isLive, farewell } = this.#options;
    await Promise.all(
      [...this.#streams].map(async (stream) => {
        if (await isLive(stream.tokenHash)) return;
        if (farewell !== undefined) stream.send(farewell(stream));
        stream.finish();
      }),
    );
  }

  async tell(): Promise<void> {
    if (this.size > 0) await this.#options.tell(this.#streams);
  }

  send(event: Buffer): void {
    for (const stream of this.#streams) stream.send(event);
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) {
      stream.finish();
      this.#streams.delete(stream);
    }
  }
}

/** At most one event in this time, so at most two in a second. */
const GAP_MS = 500;
/** The end of a session is looked for at most this often: a person who is blocked waits for no gap. */
const SESSIONS_GAP_MS = 100;
/** Without a notification the position is read and the sessions are checked this often. */
const POLL_MS = 1_000;
/** An entry was added. */
const CHANNEL = 'audit_log';

type HubOptions = { connection: ClientConfig; log: Logger };

export type EventHub = ReturnType<typeof createEventHub>;

/**
 * All streams of this process: one listening connection and one loop for however many there are, and
 * neither while there is none.
 */
export function createEventHub({ connection, log }: HubOptions) {
  const audiences: Audience[] = [];
  let wake = new AbortController();
  let running: Promise<void> | null = null;

  const isAnyOpen = () => audiences.some(({ size }) => size > 0);

  async function endDeadSessions(): Promise<void> {
    await Promise.all(audiences.map((audience) => audience.endDeadSessions()));
  }

  async function tell(): Promise<void> {
    await Promise.all(audiences.map((audience) => audience.tell()));
  }

  async function run(): Promise<void> {
    const stopped = new AbortController();
    const listening = listenUntil(stopped.signal, {
      connection,
      name: 'meridian-events',
      channels: [CHANNEL],
      onNotification: () => wake.abort(),
      onError: (error) =>
        log.debug({ err: error }, 'The stream of events cannot listen; changes are polled'),
    });
    let heartbeatAt = performance.now();
    let toldAt = -Infinity;
    while (isAnyOpen()) {
      wake = new AbortController();
      const isTelling = performance.now() - toldAt >= GAP_MS;
      try {
        await endDeadSessions();
        if (isTelling) {
          toldAt = performance.now();
          await tell();
        }
      } catch (error) {
        // Read again by the next round, from the same position.
        log.debug({ err: error }, 'The stream of events cannot read');
      }
      if (performance.now() - heartbeatAt >= EVENT_HEARTBEAT_SECONDS * 1000 - POLL_MS) {
        heartbeatAt = performance.now();
        for (const audience of audiences) audience.send(HEARTBEAT);
      }
      await delay(SESSIONS_GAP_MS, undefined, { ref: false });
      // What came in the gap is told when it is over.
      const untilMs = isTelling ? POLL_MS - SESSIONS_GAP_MS : toldAt + GAP_MS - performance.now();
      await delay(Math.max(0, untilMs), undefined, { ref: false, signal: wake.signal }).catch(
        () => {},
      );
    }
    stopped.abort();
    await listening;
  }

  /** The loop ends by itself with the last stream. */
  function start(): void {
    running ??= run().finally(() => {
      running = null;
      if (isAnyOpen()) start();
    });
  }

  return {
    /** Streams of one kind, each with what concerns it. */
    audience(options: AudienceOptions) {
      const audience = new Audience(options);
      audiences.push(audience);
      return {
        size: () => audience.size,
        async open(owner: StreamOwner, lastEventId: string | undefined): Promise<EventStream> {
          const stream = await audience.open(owner, lastEventId);
          start();
          return stream;
        },
      };
    },

    async close(): Promise<void> {
      for (const audience of audiences) audience.close();
      wake.abort();
      await running;
    },
  };
}
