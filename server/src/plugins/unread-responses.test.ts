import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitUnread } from '../http/limits.ts';

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
