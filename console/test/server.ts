import {
  authMe,
  bulkList,
  engineGet,
  ERRORS,
  errorBody,
  eventStream,
  settingsGet,
} from '@meridian/contract';
import type {
  AnswerOf,
  Endpoint,
  EngineState,
  ErrorBody,
  ErrorCode,
  EventTopic,
  Settings,
} from '@meridian/contract';
import { matchEndpoint } from '../../e2e/support/calls.ts';
import { ME_AT_MERIDIAN } from '../../e2e/support/samples.ts';

export * from '../../e2e/support/samples.ts';

/** A request of the console, as the server received it. */
export interface Call {
  endpoint: string;
  method: string;
  /** Path and query. */
  url: string;
  params: Record<string, string>;
  /** As it was sent, before the schema fills in defaults. */
  body: unknown;
  headers: Headers;
  /** Aborted when the console no longer waits for the answer. */
  signal: AbortSignal;
}

/** A name of the contract: `currencyList`. */
type Named = Pick<Endpoint, 'name'>;
type Reply = (call: Call) => Response;
type Answer<E extends Endpoint> = AnswerOf<E> | ((call: Call) => AnswerOf<E>);

type Words = Partial<Pick<ErrorBody, 'message' | 'issues'>>;

/** An error that an answer throws: the server sends it as it sends its own. */
class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(code: ErrorCode, words: Words = {}) {
    const { status, message } = ERRORS[code];
    super(message);
    this.status = status;
    this.body = errorBody.parse({ message, code, requestId: 'request-1', ...words });
  }
}

/** A service that is neither closed nor suspended. */
export const OPEN: Settings = {
  is_closed_beta: false,
  is_service_suspended: false,
  version: 1,
  updated_at: '2026-11-14T09:30:00.000Z',
};

/** An engine that is well and has nothing to do. */
const IDLE: EngineState = {
  isSuspended: false,
  suspendedAt: null,
  suspension: null,
  isAlive: true,
  isExpected: true,
  lastSeenAt: '2026-11-14T09:30:00.000Z',
  network: 'off',
  lateLimitMinutes: 60,
  workers: [],
  lastMinute: { published: 0, lateness: null },
  waiting: { count: 0, oldestAt: null, tooLate: 0 },
  held: [],
  hosts: [],
  nextHour: [],
};

let servers = 0;

/**
 * Takes the place of `fetch` for one test. It knows the calls of the contract and holds both sides to
 * its schemas: a request or an answer that does not fit is a complaint, and fails the test, like a call
 * that the test gave no answer for.
 */
export class Server {
  readonly calls: Call[] = [];
  readonly complaints: string[] = [];
  readonly token: string;
  readonly #replies = new Map<string, Reply>();
  readonly #holds = new Map<string, Promise<void>>();
  readonly #awaited = new Map<string, () => void>();
  readonly #streams = new Set<ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>>();
  /** Events that no stream was open for: the next one begins with them. */
  readonly #missed: Uint8Array<ArrayBuffer>[] = [];

  constructor() {
    servers += 1;
    // Of this test alone: a late request of the test before is refused, and a draft is kept by user name.
    this.token = `token-${servers}`;
    this.answer(authMe, { ...ME_AT_MERIDIAN, username: `ana-${servers}` });
    // The frame around every page reads these.
    this.answer(settingsGet, OPEN).answer(engineGet, IDLE).answer(bulkList, { changes: [] });
    this.#replies.set(eventStream.name, (call) => this.#stream(call.signal));
  }

  /** From now on this is the answer; a function makes a new one for every call. */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): this {
    this.#replies.set(endpoint.name, (call) => {
      // The answers of the contract are objects, never functions.
      const body =
        typeof answer === 'function' ? (answer as (call: Call) => unknown)(call) : answer;
      const checked = endpoint.answer.safeParse(body);
      if (!checked.success) this.#complain(call, 'the answer of the test', checked.error);
      return json(endpoint.status, checked.data ?? body);
    });
    return this;
  }

  /** From now on the call is refused, in the words of the contract unless the test has others. */
  refuse(endpoint: Named, code: ErrorCode, words: Words = {}): this {
    this.#replies.set(endpoint.name, () => {
      throw new Refusal(code, words);
    });
    return this;
  }

  /** From now on the connection is cut before an answer comes. */
  cut(endpoint: Named): this {
    this.#replies.set(endpoint.name, () => {
      throw new TypeError('Failed to fetch');
    });
    return this;
  }

  /** From now on requests wait until `release`; the answer is made then. */
  hold(endpoint: Named): { release: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#holds.set(endpoint.name, promise);
    return {
      release: () => {
        this.#holds.delete(endpoint.name);
        resolve();
      },
    };
  }

  /**
   * One thing that others may change too, by its name in the answer. It is read by `get` and written by
   * `update`, which is refused when it names another version than the one that is stored.
   */
  keep<E extends Endpoint, Name extends keyof AnswerOf<E> & string>(
    get: E,
    update: Endpoint,
    name: Name,
    start: AnswerOf<E>[Name] & { version: number },
    outdated: ErrorCode,
  ) {
    let row = start;
    const change = (fields: Partial<AnswerOf<E>[Name]>) => {
      row = { ...row, ...fields, version: row.version + 1 };
    };
    const envelope = () => ({ [name]: row }) as AnswerOf<E>; // checked by the schema when it is sent
    this.answer(get, envelope);
    this.answer(update, ({ headers, body }) => {
      if (headers.get('If-Match') !== `"v${row.version}"`) throw new Refusal(outdated);
      change(body as Partial<AnswerOf<E>[Name]>); // the schema of the call has checked it
      return envelope();
    });
    return { row: () => row, change };
  }

  /** Settles once the next request to this endpoint has its answer. */
  async next(endpoint: Named): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited.set(endpoint.name, resolve);
    await promise;
  }

  /** Tells every open console that something of these topics has changed. */
  changed(...topics: EventTopic[]): void {
    const event = new TextEncoder().encode(`data: ${JSON.stringify({ topics })}\n\n`);
    if (this.#streams.size === 0) this.#missed.push(event);
    for (const stream of this.#streams) stream.enqueue(event);
  }

  /** The calls made to one endpoint, in order. */
  callsTo(endpoint: Named): Call[] {
    return this.calls.filter((call) => call.endpoint === endpoint.name);
  }

  /** The bodies sent to one endpoint, in order. */
  bodiesOf(endpoint: Named): unknown[] {
    return this.callsTo(endpoint).map(({ body }) => body);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!url.pathname.startsWith('/api/')) return network(input, init);
    request.signal.throwIfAborted();
    const text = await request.text();
    const match = matchEndpoint(request.method, url.pathname);
    if (match === null) {
      this.complaints.push(`${request.method} ${url.pathname} is no call of the contract`);
      return refused(new Refusal('not_found'));
    }
    const call: Call = {
      endpoint: match.endpoint.name,
      method: request.method,
      url: url.pathname + url.search,
      params: match.params,
      body: text === '' ? null : JSON.parse(text),
      headers: request.headers,
      signal: request.signal,
    };
    if (match.endpoint.credential === 'bearer') {
      const token = request.headers.get('Authorization');
      if (token === null) this.complaints.push(`${call.endpoint} was called without a token`);
      if (token !== `Bearer ${this.token}`) return refused(new Refusal('session_ended'));
    }
    this.calls.push(call);
    this.#checkRequest(match.endpoint, call, url.searchParams);
    const held = this.#holds.get(call.endpoint);
    if (held !== undefined) await Promise.race([held, aborted(request.signal)]);
    try {
      return this.#reply(call);
    } finally {
      this.#awaited.get(call.endpoint)?.();
    }
  };

  #reply(call: Call): Response {
    const reply = this.#replies.get(call.endpoint);
    if (reply === undefined) {
      this.complaints.push(`${call.endpoint} was called, and the test has no answer for it`);
      return refused(new Refusal('not_found'));
    }
    try {
      return reply(call);
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      throw error;
    }
  }

  #checkRequest(endpoint: Endpoint, call: Call, search: URLSearchParams): void {
    const given: [string, Endpoint['query'], unknown][] = [
      ['the query', endpoint.query, Object.fromEntries(search)],
      ['the body', endpoint.body, call.body],
    ];
    for (const [part, schema, value] of given) {
      const isEmpty = value === null || JSON.stringify(value) === '{}';
      if (schema === null && isEmpty) continue;
      const checked = schema?.safeParse(value);
      if (checked?.success !== true) this.#complain(call, part, checked?.error);
    }
  }

  #complain(call: Call, part: string, error: Error | undefined): void {
    const why = error?.message ?? 'the contract has none';
    this.complaints.push(`${call.endpoint}: ${part} does not fit the contract: ${why}`);
  }

  #stream(signal: AbortSignal): Response {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (stream) => {
        for (const event of this.#missed.splice(0)) stream.enqueue(event);
        this.#streams.add(stream);
        signal.addEventListener('abort', () => {
          this.#streams.delete(stream);
          stream.error(signal.reason);
        });
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }
}

/** The page's own, for everything that is no call of the contract. */
export const network = globalThis.fetch;

function json(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

function refused({ status, body }: Refusal): Response {
  return json(status, body);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
