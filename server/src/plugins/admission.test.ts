import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitInFlight, limitInFlightPerPerson } from '../http/limits.ts';
import { answerErrors } from '../http/errors.ts';

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

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

async function openLine(): Promise<Socket> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  // Listening on a port, so it is one of these.
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function firstLineAfter(socket: Socket | undefined, text: string): Promise<string> {
  if (socket === undefined) throw new Error('No such connection');
  socket.write(text);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString().split('\r\n')[0] ?? '';
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

test('one person leaves slots to others', async () => {
  await app.register(async (scope) => {
    limitInFlight(scope, 4);
    scope.decorateRequest('member');
    scope.addHook('onRequest', async (request) => {
      const userId = String(request.headers['x-person']);
      request.member = { userId, did: '', sessionId: '', service: null };
    });
    limitInFlightPerPerson(scope, 3);
    scope.get('/mine', async () => {
      started += 1;
      await work.promise;
      return { done: true };
    });
  });
  // Async, since an injected request begins when it is awaited.
  const send = async (person: string) =>
    app.inject({ url: '/mine', headers: { 'x-person': person } });
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
