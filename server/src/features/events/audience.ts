import { AppError } from '../../http/app-error.ts';
import { EventStream } from './event-stream.ts';
import type { StreamOwner } from './event-stream.ts';

const RETRY_AFTER_SECONDS = 30;

export type AudienceOptions = {
  maxStreams: number;
  maxStreamsPerOwner: number;
  /** Why one owner may open no more; the usual sentence otherwise. */
  tooMany?: string;
  /** Whether the session of this token goes on; no use of it. */
  isLive: (tokenHash: Buffer) => Promise<boolean>;
  /** Sends what a new stream begins with. */
  begin: (stream: EventStream, lastEventId: string | undefined) => Promise<void>;
  /** Tells the streams what has changed. */
  tell: (streams: ReadonlySet<EventStream>) => Promise<void>;
  /** The last event of a stream whose session has ended. */
  farewell?: (stream: EventStream) => Buffer;
};

/** The open streams of one kind of client. */
export class Audience {
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
