import { endpoint } from '@meridian/contract/endpoint';
import { fastify } from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AppError, answerErrors } from './errors.ts';
import { limitTime, limitUnread } from './limits.ts';
import { listStreamer } from './stream.ts';
import type { ListSink, StreamLimits } from './stream.ts';

const THINGS = endpoint({
  name: 'thingList',
  method: 'GET',
  path: '/api/admin/things',
  right: null,
  summary: 'Things',
  answer: z.object({
    things: z.array(z.object({ name: z.string(), size: z.nullable(z.int()) })),
    total: z.optional(z.int()),
  }),
});
type Thing = { name: string; size: number | null };

const KB = 1024;
const LIMITS: StreamLimits = { bufferBytes: 64 * KB, stallMs: 60_000, totalMs: 60_000 };
/** Far more than the system takes off the server's hands. */
const ENDLESS = Array.from({ length: 400 }, () => [{ name: 'x'.repeat(100 * KB), size: 1 }]);

let app: FastifyInstance;
let url: string;
let requests: FastifyRequest[];
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

type Produce = (sink: ListSink<Thing>) => Promise<void>;

async function serve(
  produce: Produce,
  limits: Partial<StreamLimits> = {},
  unreadBytes = Infinity,
): Promise<void> {
  const stream = listStreamer(THINGS, 'things', { ...LIMITS, ...limits });
  app = fastify();
  answerErrors(app);
  limitTime(app, 60_000, 5);
  limitUnread(app, unreadBytes);
  requests = [];
  app.addHook('onRequest', async (request) => void requests.push(request));
  app.get('/things', (_, reply) => stream(reply, produce));
  url = await app.listen({ port: 0, host: '127.0.0.1' });
}

/** Produces these batches, and tells how it ended. */
function producing(batches: readonly Thing[][]) {
  const ended = Promise.withResolvers<unknown>();
  const state = { pushed: 0, ended: ended.promise };
  const produce: Produce = async (sink) => {
    try {
      for (const batch of batches) {
        state.pushed += 1;
        await sink.push(batch);
      }
      ended.resolve(null);
    } catch (error) {
      ended.resolve(error);
      throw error;
    }
  };
  return { state, produce };
}

/** Which requests have a deadline. */
const deadlines = () => requests.map(({ dueAt }) => Number.isFinite(dueAt));

/** Asks and reads nothing. */
async function ask(): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo; // listening on TCP, so never a string
  const socket = connect(port, '127.0.0.1');
  socket.pause().on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET /things HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return socket;
}

test('is the JSON that the contract describes, and no field more', async () => {
  const secret = { name: 'a "quoted" one', size: null, passwordHash: 'secret' };
  const { produce } = producing([[secret], [], [{ name: 'b', size: 2 }], [{ name: 'c', size: 3 }]]);
  await serve(produce);
  const response = await fetch(`${url}/things`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.text()).toBe(
    '{"things":[{"name":"a \\"quoted\\" one","size":null},{"name":"b","size":2},{"name":"c","size":3}]}',
  );
});

test('is an error response when it fails before the first items', async () => {
  await serve(async () => {
    throw new AppError('unavailable', { retryAfterSeconds: 5 });
  });
  const response = await fetch(`${url}/things`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await response.json()).toMatchObject({ code: 'unavailable' });
});

test('is cut off when it fails later, so that a part never passes for the whole', async () => {
  const head = Promise.withResolvers<void>();
  await serve(async ({ push }) => {
    await push([{ name: 'a', size: 1 }]);
    await head.promise;
    throw new Error('The database went away');
  });
  const response = await fetch(`${url}/things`);
  expect(response.status).toBe(200);
  head.resolve();
  await expect(response.text()).rejects.toThrow('terminated');
});

test('is produced no further than the buffer while the client does not read', async () => {
  const { state, produce } = producing(ENDLESS);
  await serve(produce, { bufferBytes: 1024 * KB });
  const socket = await ask();
  // What the system takes is its own affair, but it is far from all.
  const before = await settled(() => state.pushed);
  expect(before).toBeGreaterThan(5);
  expect(before).toBeLessThan(ENDLESS.length / 2);
  socket.resume();
  expect(await state.ended).toBeNull();
});

test('ends at once when the client goes away', async () => {
  const { state, produce } = producing(ENDLESS);
  await serve(produce);
  const socket = await ask();
  await settled(() => state.pushed);
  socket.destroy();
  expect(await state.ended).toBeInstanceOf(Error);
});

test('ends before it has begun when the client goes away meanwhile', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  await serve(async ({ signal, push }) => {
    asked.resolve(signal);
    await once(signal, 'abort');
    await push([{ name: 'a', size: 1 }]);
  });
  const socket = await ask();
  const signal = await asked.promise;
  socket.destroy();
  await expect.poll(() => signal.aborted).toBe(true);
});

test('a client that stops reading is disconnected', async () => {
  const { state, produce } = producing(ENDLESS);
  await serve(produce, { stallMs: 20 });
  const [, connection] = await Promise.all([ask(), once(app.server, 'connection')]);
  const [socket] = connection as [Socket]; // the event's own argument
  expect(String(await state.ended)).toContain('The client has read nothing for 20 ms');
  if (!socket.destroyed) await once(socket, 'close');
});

test('a client that reads too slowly for the whole is disconnected', async () => {
  const { state, produce } = producing(ENDLESS);
  await serve(produce, { totalMs: 20 });
  await ask();
  expect(await state.ended).toBeInstanceOf(Error);
});

test('a list that is produced may be read as slowly as any other response', async () => {
  const mayEnd = Promise.withResolvers<void>();
  const { state, produce } = producing(ENDLESS.slice(0, 20));
  await serve(
    async (sink) => {
      await sink.push([{ name: 'first', size: 1 }]);
      await mayEnd.promise;
      await produce(sink);
    },
    { bufferBytes: 64 * 1024 * KB },
  );
  const response = await fetch(`${url}/things`);
  expect(deadlines()).toEqual([true]);
  mayEnd.resolve();
  expect(await state.ended).toBeNull();
  await expect.poll(deadlines).toEqual([false]);
  expect(await response.json()).toMatchObject({ things: { length: 21 } });
});

test('counts among the unread responses with its buffer', async () => {
  const { produce } = producing(ENDLESS);
  await serve(produce, {}, 150 * KB);
  const sockets: Socket[] = [];
  app.server.on('connection', (socket: Socket) => sockets.push(socket));
  const clients = [await ask(), await ask()];
  await settled(() => sockets.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0));
  const cut = once(sockets[0] ?? app.server, 'close');
  clients.push(await ask());
  await cut;
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  for (const client of clients) client.destroy();
});

/** The value once it has stayed the same for many turns of the event loop. */
async function settled(read: () => number): Promise<number> {
  let last = -1;
  for (let same = 0; same < 200; same += 1) {
    const now = read();
    if (now !== last || now === 0) same = 0;
    last = now;
    await new Promise(setImmediate);
  }
  return last;
}
