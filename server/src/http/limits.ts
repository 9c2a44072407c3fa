import { authLogout } from '@meridian/contract/auth';
import { meSignOut } from '@meridian/contract/me/account';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { AppError } from './errors.ts';

const MAX_IN_FLIGHT = 64;
const MAX_PER_MEMBER = 48;
/** The error is created once: under overload, creating thousands a second would cost. */
const REFUSAL = new AppError('unavailable', { retryAfterSeconds: 2 });

/**
 * A slot is held only while the handler runs: receiving the body and writing the response take as long
 * as the client likes. A client that disconnects does not free it early.
 */
export function limitInFlight(
  scope: FastifyInstance,
  max = MAX_IN_FLIGHT,
  ownerOf: (request: FastifyRequest) => string = () => '',
): void {
  const underWay = new Map<string, Set<FastifyReply>>();

  function enter(reply: FastifyReply, done: (refusal?: Error) => void): void {
    const owner = ownerOf(reply.request);
    const own = underWay.get(owner) ?? new Set();
    if (own.size >= max) return done(REFUSAL);
    underWay.set(owner, own.add(reply));
    done();
  }

  function leave(reply: FastifyReply, done: () => void): void {
    const owner = ownerOf(reply.request);
    const own = underWay.get(owner);
    own?.delete(reply);
    if (own?.size === 0) underWay.delete(owner);
    done();
  }

  scope.addHook('onRequest', (_, reply, done) => enter(reply, done));
  scope.addHook('preParsing', (_, reply, _body, done) => leave(reply, done));
  scope.addHook('preValidation', (_, reply, done) => enter(reply, done));
  scope.addHook('onSend', (_, reply, _payload, done) => leave(reply, done));
}

export function limitInFlightPerMember(scope: FastifyInstance, max = MAX_PER_MEMBER): void {
  limitInFlight(scope, max, ({ member }) => member?.userId ?? '');
}

const WINDOW_MS = 60_000;
/** The owner of a flooded session can still end it. */
const SIGN_OUT = new Set<string>([authLogout.path, meSignOut.path]);

export function limitPerSession(
  scope: FastifyInstance,
  perMinute: number,
  clock?: () => number,
): void {
  const countRequest = createRequestCount(perMinute, clock);
  scope.addHook('onRequest', async ({ actor, member, routeOptions }) => {
    const session = actor?.tokenHash.toString('base64') ?? member?.sessionId;
    if (session !== undefined && !SIGN_OUT.has(routeOptions.url ?? '')) countRequest(session);
  });
}

/** A stolen token or a runaway script cannot take all of the server. Each process counts for itself. */
export function createRequestCount(
  perMinute: number,
  clock: () => number = () => performance.now(),
): (session: string) => void {
  if (perMinute === 0) return () => {};
  // The windows are in the order in which they began; only live sessions come this far, so there are few.
  const windows = new Map<string, { startedAt: number; requests: number }>();

  return (session) => {
    const now = clock();
    for (const [key, { startedAt }] of windows) {
      if (now - startedAt < WINDOW_MS) break;
      windows.delete(key);
    }
    const window = windows.get(session) ?? { startedAt: now, requests: 0 };
    windows.set(session, window);
    window.requests += 1;
    if (window.requests <= perMinute) return;
    const retryAfterSeconds = Math.ceil((window.startedAt + WINDOW_MS - now) / 1000);
    throw new AppError('too_many_requests', { retryAfterSeconds });
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    dueAt: number;
    bodyAwaitedAt: number;
  }
}

const LIMIT_MS = 8_000;
const SWEEP_MS = 250;

/**
 * The time in which a body arrives does not count; the server's request timeout bounds it. Fastify's own
 * `handlerTimeout` ends as soon as a body has been read, and creates a timer per request.
 */
export function limitTime(app: FastifyInstance, limitMs = LIMIT_MS, sweepMs = SWEEP_MS): void {
  const pending = new Set<FastifyReply>();
  let isSweepSet = false;

  function watch(): void {
    if (isSweepSet || pending.size === 0) return;
    isSweepSet = true;
    setTimeout(sweep, sweepMs).unref();
  }

  function sweep(): void {
    isSweepSet = false;
    const now = performance.now();
    for (const reply of pending) {
      if (reply.raw.destroyed) pending.delete(reply);
      else if (reply.request.dueAt <= now) giveUp(reply);
    }
    watch();
  }

  function giveUp(reply: FastifyReply): void {
    pending.delete(reply);
    if (reply.sent) return;
    // A response that has begun can only be cut off.
    if (reply.raw.headersSent) reply.raw.destroy();
    else reply.send(REFUSAL);
  }

  app.decorateRequest('dueAt', 0).decorateRequest('bodyAwaitedAt', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.dueAt = performance.now() + limitMs;
    pending.add(reply);
    watch();
    done();
  });
  app.addHook('preParsing', (request, reply, _body, done) => {
    request.bodyAwaitedAt = performance.now();
    pending.delete(reply);
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    // A client that was told of a timeout must not find the change made after all.
    if (request.raw.socket.writableEnded) return done(new AppError('invalid_input'));
    request.dueAt += performance.now() - request.bodyAwaitedAt;
    pending.add(reply);
    watch();
    done();
  });
  app.addHook('onResponse', (_, reply, done) => {
    pending.delete(reply);
    done();
  });
}

/** The socket gets this time too, as `connectionTimeout` would cut it; Node resets that for each request. */
export function allowTime(request: FastifyRequest, ms: number): void {
  request.dueAt = performance.now() + ms;
  setSocketTimeout(request, ms);
}

export function endDeadline(request: FastifyRequest): void {
  request.dueAt = Infinity;
  setSocketTimeout(request, request.server.server.timeout);
}

function setSocketTimeout({ raw: { socket } }: FastifyRequest, ms: number): void {
  // An injected request has no socket.
  if (socket instanceof Socket) socket.setTimeout(ms);
}

const MAX_BYTES = 64 * 1024 * 1024;
const LARGE_BYTES = 64 * 1024;

/** A response stays in memory until it is read, so the connection with the oldest unread one is closed. */
export function limitUnread(scope: FastifyInstance, maxBytes = MAX_BYTES): void {
  // The replies are in the order in which they were sent.
  const unread = new Map<FastifyReply, number>();
  let total = 0;

  function forget(reply: FastifyReply): void {
    total -= unread.get(reply) ?? 0;
    unread.delete(reply);
  }

  scope.addHook('onSend', (_, reply, payload, done) => {
    const size = bytesHeld(payload);
    if (size < LARGE_BYTES) return done();
    unread.set(reply, size);
    total += size;
    reply.raw.once('close', () => forget(reply));
    for (const oldest of unread.keys()) {
      if (total <= maxBytes || unread.size === 1) break;
      forget(oldest);
      oldest.raw.destroy();
    }
    done();
  });
}

/** A stream counts with as much as it may read ahead of the client. */
function bytesHeld(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return payload instanceof Readable ? payload.readableHighWaterMark : 0;
}

export type ConcurrencyLimitOptions = {
  atOnce: number;
  queue: number;
  waitMs: number;
  /** These places are for known clients only: unknown clients cannot fill all of the queue. */
  reserved?: number;
};

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

const BUSY = new AppError('unavailable', { retryAfterSeconds: 5 });

/** Known clients are served first; work that cannot start in time is refused with 503. */
export function createConcurrencyLimit(options: ConcurrencyLimitOptions) {
  const { atOnce, queue, waitMs, reserved = 0 } = options;
  const known: (() => void)[] = [];
  const unknown: (() => void)[] = [];
  let running = 0;

  async function acquire(isKnown: boolean): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    const capacity = isKnown ? queue + reserved : queue;
    if (known.length + unknown.length >= capacity) throw BUSY;
    const waiting = isKnown ? known : unknown;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push(resolve);
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(BUSY);
    }, waitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  function release(): void {
    const next = known.shift() ?? unknown.shift();
    // The slot passes on directly, so `running` stays and no newcomer can take it in between.
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async run<T>(work: () => Promise<T>, { isKnown } = { isKnown: false }): Promise<T> {
      await acquire(isKnown);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

export function createLimitPerMember(options: ConcurrencyLimitOptions) {
  const members = new Map<string, { limit: ConcurrencyLimit; calls: number }>();
  return async function run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const own = members.get(userId) ?? { limit: createConcurrencyLimit(options), calls: 0 };
    members.set(userId, own);
    own.calls += 1;
    try {
      return await own.limit.run(work);
    } finally {
      own.calls -= 1;
      if (own.calls === 0) members.delete(userId);
    }
  };
}
