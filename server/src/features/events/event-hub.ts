import { EVENT_HEARTBEAT_SECONDS, EVENT_TOPICS } from '@meridian/contract/events';
import type { EventTopic } from '@meridian/contract/events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { totalsByStatus } from '../../counters/counters.ts';
import type { Noun } from '../../counters/counters.ts';
import type { Db } from '../../db/database.ts';
import { listenUntil } from '../../db/listener.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { endDeadline } from '../../http/limits.ts';
import { nounOfEntry } from '../nouns.ts';

const RETRY_AFTER_SECONDS = 30;

type AudienceOptions = {
  maxStreams: number;
  maxStreamsPerOwner: number;
  tooMany?: string;
  /** The question does not count as use of the session. */
  isLive: (tokenHash: Buffer) => Promise<boolean>;
  begin: (stream: EventStream, lastEventId: string | undefined) => Promise<void>;
  tell: (streams: ReadonlySet<EventStream>) => Promise<void>;
  farewell?: (stream: EventStream) => Buffer;
};

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

  /** The stream has begun before it is returned, so that a refusal is a response. */
  async open(owner: StreamOwner, lastEventId: string | undefined): Promise<EventStream> {
    this.#admit(owner);
    const stream = new EventStream(owner);
    stream.once('close', () => this.#streams.delete(stream));
    // The stream is added before the position is read, so that it hears of every change since.
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

const GAP_MS = 500;
/** The ends of sessions are looked for at most this often, since a user who is blocked waits for no gap. */
const SESSIONS_GAP_MS = 100;
const POLL_MS = 1_000;
const CHANNEL = 'audit_log';

type HubOptions = { connection: ClientConfig; log: Logger };

export type EventHub = ReturnType<typeof createEventHub>;

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
        // The next round reads again from the same position.
        log.debug({ err: error }, 'The stream of events cannot read');
      }
      if (performance.now() - heartbeatAt >= EVENT_HEARTBEAT_SECONDS * 1000 - POLL_MS) {
        heartbeatAt = performance.now();
        for (const audience of audiences) audience.send(HEARTBEAT);
      }
      await delay(SESSIONS_GAP_MS, undefined, { ref: false });
      const untilMs = isTelling ? POLL_MS - SESSIONS_GAP_MS : toldAt + GAP_MS - performance.now();
      await delay(Math.max(0, untilMs), undefined, { ref: false, signal: wake.signal }).catch(
        () => {},
      );
    }
    stopped.abort();
    await listening;
  }

  function start(): void {
    running ??= run().finally(() => {
      running = null;
      if (isAnyOpen()) start();
    });
  }

  return {
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

/** Hundreds of events: a client that has not read them for so long is gone or stuck. */
const BUFFER_BYTES = 16 * 1024;

const HEARTBEAT = Buffer.from(': heartbeat\n\n');
export function changedEvent(id: string, topics: readonly string[]): Buffer {
  return Buffer.from(`id: ${id}\nevent: changed\ndata: ${JSON.stringify({ topics })}\n\n`);
}

type StreamOwner = { ownerId: string; tokenHash: Buffer };

export class EventStream extends Readable {
  readonly ownerId: string;
  readonly tokenHash: Buffer;
  #isFinished = false;

  constructor({ ownerId, tokenHash }: StreamOwner) {
    super({ highWaterMark: BUFFER_BYTES });
    this.ownerId = ownerId;
    this.tokenHash = tokenHash;
  }

  override _read(): void {
    // Events are pushed when something changes.
  }

  send(event: Buffer): void {
    if (this.destroyed || this.#isFinished) return;
    if (!this.push(event)) this.destroy();
  }

  finish(): void {
    this.#isFinished = true;
    this.push(null);
  }
}

type Exchange = { request: FastifyRequest; reply: FastifyReply };

export async function serveEvents(
  { request, reply }: Exchange,
  open: (lastEventId: string | undefined) => Promise<EventStream>,
): Promise<EventStream> {
  const { accept = '', 'last-event-id': lastEventId } = request.headers;
  if (!accept.includes('text/event-stream')) {
    throw new AppError('invalid_input', { message: 'Send Accept: text/event-stream' });
  }
  const stream = await open(lastEventId?.toString());
  reply.raw.once('close', () => stream.destroy());
  endDeadline(request);
  // Proxies would otherwise collect events before they pass them on.
  reply.header('x-accel-buffering', 'no').type('text/event-stream; charset=utf-8');
  return stream;
}

/** Redemptions and the engine's counters have no audit entries, so digests stand for them. */
export type Position = { entry: number; posts: string; users: string; redeemed: string };

const MAX_ENTRIES = 1_000;

export async function readPosition(db: Db): Promise<Position> {
  return db.one<Position>(sql`
    select last_id as entry, ${digestOf(totalsText('posts'))} as posts, ${digestOf(totalsText('users'))} as users,
      ${digestOf(sql`select max(created_at)::text from plan_assignments where ticket_id is not null`)} as redeemed
    from audit_head`);
}

function totalsText(noun: Noun): Sql {
  return sql`select string_agg(status || n, ' ' order by status) from (${totalsByStatus(noun)}) as totals`;
}

function digestOf(query: Sql): Sql {
  return sql`left(md5(coalesce((${query}), '')), 12)`;
}

export function positionText({ entry, posts, users, redeemed }: Position): string {
  return `${entry}.${posts}.${users}.${redeemed}`;
}

function parsePosition(text: string): Position | null {
  const [, entry, posts = '', users = '', redeemed = ''] =
    /^(\d{1,15})\.([0-9a-f]{12})\.([0-9a-f]{12})\.([0-9a-f]{12})$/.exec(text) ?? [];
  return entry === undefined ? null : { entry: Number(entry), posts, users, redeemed };
}

/** A client opens its stream a moment after it has read its data. */
const FIRST_READ_SECONDS = 10;

export async function topicsSince(
  db: Db,
  lastEventId: string | undefined,
  now: Position,
): Promise<EventTopic[]> {
  if (lastEventId === undefined) return recentTopics(db, now);
  const from = parsePosition(lastEventId);
  return from === null ? [...EVENT_TOPICS] : topicsBetween(db, from, now);
}

async function recentTopics(db: Db, now: Position): Promise<EventTopic[]> {
  const { entry } = await db.one<{ entry: number }>(sql`
    select coalesce(min(id) - 1, ${now.entry}) as entry from audit_log
    where at > now() - make_interval(secs => ${FIRST_READ_SECONDS})`);
  return topicsBetween(db, { ...now, entry }, now);
}

export async function topicsBetween(db: Db, from: Position, to: Position): Promise<EventTopic[]> {
  const topics = new Set<EventTopic>();
  if (from.posts !== to.posts) topics.add('posts').add('engine');
  if (from.users !== to.users) topics.add('users');
  if (from.redeemed !== to.redeemed) topics.add('tickets');
  const entries = to.entry - from.entry;
  // A log that became shorter is that of another database.
  if (entries < 0 || entries > MAX_ENTRIES) return [...EVENT_TOPICS];
  if (entries > 0) {
    topics.add('audit');
    const rows = await db.many<{ entity: string }>(sql`
      select distinct entity from audit_log where id > ${from.entry} and id <= ${to.entry}`);
    for (const { entity } of rows) {
      for (const topic of nounOfEntry(entity)?.topics ?? []) topics.add(topic);
    }
  }
  return [...topics];
}
