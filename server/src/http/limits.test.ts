import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerErrors } from './errors.ts';
import {
  allowTime,
  createConcurrencyLimit,
  limitInFlight,
  limitInFlightPerMember,
  limitTime,
  limitUnread,
} from './limits.ts';
import type { ConcurrencyLimitOptions } from './limits.ts';

async function firstLineAfter(socket: Socket | undefined, text: string): Promise<string> {
  if (socket === undefined) throw new Error('No such connection');
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString().split('\r\n')[0] ?? '';
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

describe('the limit of requests in flight', () => {
  const HEADERS = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
  let app: FastifyInstance;
  let work: PromiseWithResolvers<void>;
  let started: number;
  /** Requests whose headers have come. */
  let arrived: number;

  beforeEach(async () => {
    work = Promise.withResolvers();
    started = 0;
    arrived = 0;
    app = fastify();
    answerErrors(app);
    await app.register(async (scope) => {
      limitInFlight(scope, 2);
      scope.addHook('onRequest', async () => void (arrived += 1));
      scope.route({
        method: ['GET', 'POST'],
        url: '/work',
        handler: async () => {
          started += 1;
          await work.promise;
          return { done: true };
        },
      });
      scope.get('/quick', () => 'x'.repeat(20_000_000));
    });
    app.get('/free', () => ({ done: true }));
  });
  afterEach(async () => {
    work.resolve();
    app.server.closeAllConnections();
    await app.close();
  });

  async function openLine(): Promise<Socket> {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
    // Listening on a port, so it is one of these.
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  test('refuses at once what is over the limit, and takes more when something is done', async () => {
    const accepted = [app.inject('/work'), app.inject('/work')];
    await until(() => started === 2);
    const refused = await app.inject('/work');
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.json().code).toBe('unavailable');
    expect((await app.inject('/free')).statusCode).toBe(200);

    work.resolve();
    for (const response of await Promise.all(accepted)) expect(response.statusCode).toBe(200);
    expect((await app.inject('/work')).statusCode).toBe(200);
  });

  test('one member leaves slots to others', async () => {
    await app.register(async (scope) => {
      limitInFlight(scope, 4);
      scope.decorateRequest('member');
      scope.addHook('onRequest', async (request) => {
        const userId = String(request.headers['x-member']);
        request.member = { userId, did: '', sessionId: '', service: null };
      });
      limitInFlightPerMember(scope, 3);
      scope.get('/mine', async () => {
        started += 1;
        await work.promise;
        return { done: true };
      });
    });
    // Async, since an injected request begins when it is awaited.
    const send = async (userId: string) =>
      app.inject({ url: '/mine', headers: { 'x-member': userId } });
    const accepted = [send('anna'), send('anna'), send('anna')];
    await until(() => started === 3);
    expect((await send('anna')).json().code).toBe('unavailable');
    accepted.push(send('ben'));
    await until(() => started === 4);
    work.resolve();
    for (const response of await Promise.all(accepted)) expect(response.statusCode).toBe(200);
    expect((await send('anna')).statusCode).toBe(200);
  });

  test('a body that does not arrive takes no slot', async () => {
    const slow = await Promise.all(Array.from({ length: 5 }, openLine));
    for (const socket of slow) socket.write(`POST /work HTTP/1.1\r\n${HEADERS}{`);
    await until(() => arrived === 5);

    const others = [app.inject('/work'), app.inject('/work')];
    await until(() => started === 2);
    // When it arrives after all, every slot is taken.
    expect(await firstLineAfter(slow[0], '}')).toContain('503');

    work.resolve();
    for (const response of await Promise.all(others)) expect(response.statusCode).toBe(200);
    expect(await firstLineAfter(slow[1], '}')).toContain('200');
  });

  test('a response that is not read takes no slot', async () => {
    const deaf = await Promise.all(Array.from({ length: 5 }, openLine));
    for (const socket of deaf) {
      socket.pause();
      socket.write('GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n');
    }
    await until(() => arrived === 5);
    work.resolve();
    expect((await app.inject('/work')).statusCode).toBe(200);
  });

  test('a client that disconnects keeps its slot until there is a response', async () => {
    const gone = await Promise.all([openLine(), openLine()]);
    for (const socket of gone) socket.write('GET /work HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => started === 2);
    for (const socket of gone) socket.destroy();
    const { promise: connections, resolve } = Promise.withResolvers<void>();
    const look = () =>
      app.server.getConnections((_, count) => (count === 0 ? resolve() : setImmediate(look)));
    look();
    await connections;
    expect((await app.inject('/work')).statusCode).toBe(503);

    work.resolve();
    let status = 503;
    while (status === 503) ({ statusCode: status } = await app.inject('/work'));
    expect(status).toBe(200);
  });
});

/** Work that ends when the test says so. */
function piece() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { hasStarted: false, finish: resolve };
  const run = async () => {
    state.hasStarted = true;
    await promise;
  };
  return Object.assign(state, { run });
}

const limitOf = (options: Partial<ConcurrencyLimitOptions>) =>
  createConcurrencyLimit({ atOnce: 1, queue: 16, waitMs: 3_000, ...options });

describe('a concurrency limit', () => {
  test('runs so many at once, and the next in order of arrival', async () => {
    const limit = limitOf({ atOnce: 2 });
    const [first, second, third, fourth] = [piece(), piece(), piece(), piece()];
    const all = [first, second, third, fourth].map((one) => limit.run(one.run));
    await Promise.resolve();
    expect([first, second, third, fourth].map((one) => one.hasStarted)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    second.finish();
    await all[1];
    await new Promise(setImmediate);
    expect([third.hasStarted, fourth.hasStarted]).toEqual([true, false]);
    for (const one of [first, third, fourth]) one.finish();
    await Promise.all(all);
  });

  test('refuses at once when the queue is full', async () => {
    const limit = limitOf({ queue: 1 });
    const [running, waiting] = [piece(), piece()];
    const accepted = [limit.run(running.run), limit.run(waiting.run)];
    await expect(limit.run(async () => {})).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
    });
    running.finish();
    waiting.finish();
    await Promise.all(accepted);
    await expect(limit.run(async () => 'again')).resolves.toBe('again');
  });

  test('reserves places in the queue for known clients', async () => {
    const limit = limitOf({ queue: 1, reserved: 1 });
    const pieces = [piece(), piece(), piece()] as const;
    const accepted = [
      limit.run(pieces[0].run),
      limit.run(pieces[1].run),
      limit.run(pieces[2].run, { isKnown: true }),
    ];
    for (const isKnown of [false, true]) {
      await expect(limit.run(async () => {}, { isKnown })).rejects.toMatchObject({
        code: 'unavailable',
      });
    }
    for (const one of pieces) one.finish();
    await Promise.all(accepted);
    expect(pieces[2].hasStarted).toBe(true);
  });

  test('serves known clients first, in order of arrival', async () => {
    const limit = limitOf({ reserved: 2 });
    const order: string[] = [];
    const running = piece();
    const first = limit.run(running.run);
    const arrivals = [
      ['unknown', false],
      ['known', true],
      ['second unknown', false],
      ['second known', true],
    ] as const;
    const all = arrivals.map(([client, isKnown]) =>
      limit.run(async () => order.push(client), { isKnown }),
    );
    running.finish();
    await Promise.all([first, ...all]);
    expect(order).toEqual(['known', 'second known', 'unknown', 'second unknown']);
  });

  test('refuses work that waited too long, and keeps the slot of the others', async () => {
    const limit = limitOf({ waitMs: 1 });
    const running = piece();
    const accepted = limit.run(running.run);
    await expect(limit.run(async () => {})).rejects.toMatchObject({ code: 'unavailable' });
    running.finish();
    await accepted;
    await expect(limit.run(async () => 'again')).resolves.toBe('again');
  });

  test('frees the slot when the work fails', async () => {
    const limit = limitOf({});
    await expect(limit.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(limit.run(async () => 1)).resolves.toBe(1);
  });
});

const never = () => new Promise<never>(() => {});

describe('the timeout of a request', () => {
  let app: FastifyInstance;
  let url: string;
  let work: PromiseWithResolvers<{ done: true }>;

  beforeEach(async () => {
    work = Promise.withResolvers();
    app = fastify();
    answerErrors(app);
    limitTime(app, 40, 5);
    app.route({ method: ['GET', 'POST'], url: '/never', handler: never });
    app.get('/held', () => work.promise);
    app.post('/echo', ({ body }) => body);
    app.get('/patient', (request) => {
      allowTime(request, 60_000);
      return work.promise;
    });
    app.get('/half', (_, reply) => {
      const body = new Readable({ read() {} });
      body.push('half of ');
      return reply.send(body);
    });
    url = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    app.server.closeAllConnections();
    await app.close();
  });

  const json = { 'content-type': 'application/json' };
  test.each([
    ['GET', {}],
    ['POST with a body, which has been read long before', { body: '{"a":1}', headers: json }],
    ['POST without one', {}],
  ])('refuses in time: a %s', async (kind, init) => {
    const response = await fetch(`${url}/never`, { method: kind.split(' ')[0] ?? '', ...init });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
  });

  test('a response that is ready too late is not sent after the refusal', async () => {
    const response = await fetch(`${url}/held`);
    expect(response.status).toBe(503);
    work.resolve({ done: true });
    const again = await fetch(`${url}/held`);
    expect([again.status, await again.json()]).toEqual([200, { done: true }]);
  });

  test('a call may allow itself more', async () => {
    const patient = fetch(`${url}/patient`);
    // Asked for at the same time: by its refusal the usual limit has passed.
    expect((await fetch(`${url}/never`)).status).toBe(503);
    work.resolve({ done: true });
    expect((await patient).status).toBe(200);
  });

  test('a body may take longer to arrive than the response to it', async () => {
    const body = new TransformStream<string, string>();
    const writer = body.writable.getWriter();
    const echo = fetch(`${url}/echo`, {
      method: 'POST',
      headers: json,
      body: body.readable.pipeThrough(new TextEncoderStream()),
      duplex: 'half',
    });
    await writer.write('{"a":');
    // Asked for later: by its refusal the usual limit has passed.
    expect((await fetch(`${url}/never`)).status).toBe(503);
    await writer.write('1}');
    await writer.close();
    expect(await (await echo).json()).toEqual({ a: 1 });
  });

  test('a request that was refused before its body arrived is not carried out', async () => {
    const echoed = vi.fn<() => void>();
    const refused = Promise.withResolvers<string>();
    const late = fastify();
    limitTime(late);
    late.addHook('onError', async (_request, _reply, error) => refused.resolve(error.code));
    late.post('/echo', echoed);
    const accepted = once(late.server, 'connection');
    const arrived = once(late.server, 'request');
    const port = Number(new URL(await late.listen({ port: 0, host: '127.0.0.1' })).port);
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write('POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
    client.write('Content-Length: 2\r\n\r\n{');
    const [socket] = (await accepted) as [Socket];
    await arrived;
    socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n');
    client.write('}');
    expect(await refused.promise).toBe('invalid_input');
    expect(echoed).not.toHaveBeenCalled();
    client.destroy();
    await late.close();
  });

  test('half a response is cut off rather than left hanging', async () => {
    const response = await fetch(`${url}/half`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow(/terminated/);
  });
});

describe('unread responses', () => {
  const MEGABYTE = 1024 * 1024;
  /** Far more than the buffers of a socket. */
  const LARGE = 'x'.repeat(20 * MEGABYTE);
  let app: FastifyInstance;
  /** The server's ends, in the order in which they were opened. */
  let connections: Socket[];

  beforeEach(async () => {
    connections = [];
    app = fastify();
    limitUnread(app, 50 * MEGABYTE);
    app.get('/large', () => LARGE);
    app.get('/huge', () => LARGE + LARGE + LARGE);
    app.server.on('connection', (socket) => connections.push(socket));
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    app.server.closeAllConnections();
    await app.close();
  });

  function url(path: string): string {
    // Listening on a port, so it is one of these.
    const { port } = app.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  }

  /** Sends a request and reads nothing; resolves when the response is on its way. */
  async function askAndWait(): Promise<Socket> {
    const begun = once(app.server, 'request');
    const socket = connect(Number(new URL(url('')).port), '127.0.0.1');
    socket.pause().on('error', () => {});
    socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await begun;
    while (connections.at(-1)?.bytesWritten === 0) await new Promise(setImmediate);
    return socket;
  }

  test('closes the connection with the oldest unread response when they hold too much', async () => {
    const sockets = [await askAndWait(), await askAndWait()];
    const [oldest] = connections;
    if (oldest === undefined) throw new Error('No connection');
    const cut = once(oldest, 'close');
    sockets.push(await askAndWait());
    await cut;
    expect(connections.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    for (const socket of sockets) socket.destroy();
  });

  test('what is read makes room again, and one may be as large as it is', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect(await (await fetch(url('/large'))).text()).toHaveLength(LARGE.length);
    }
    expect(await (await fetch(url('/huge'))).text()).toHaveLength(3 * LARGE.length);
  });
});
