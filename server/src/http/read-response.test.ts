import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readResponse } from './bodies.ts';

const PIECES = 2_000_000;
const AT_A_TIME = 50_000;
/** Without a copy, the pieces alone took 250 MB. */
const MAX_GROWTH_MB = 100;

const pieces = Buffer.alloc(AT_A_TIME * 6, '1\r\nx\r\n');
function* response() {
  yield Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  for (let sent = 0; sent < PIECES; sent += AT_A_TIME) yield pieces;
  yield Buffer.from('0\r\n\r\n');
}
const server = createServer((request) => {
  // Fails when the reader has enough.
  pipeline(Readable.from(response()), request.socket).catch(() => {});
});
const agent = new Agent();
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await agent.destroy();
  server.closeAllConnections();
  server.close();
});

async function bodyOf() {
  const { port } = server.address() as AddressInfo; // listening on TCP, so never a string
  const origin = `http://127.0.0.1:${port}`;
  return (await agent.request({ origin, path: '/', method: 'GET' })).body;
}
const heapMb = () => process.memoryUsage().heapUsed / 1024 ** 2;

test('a body of single bytes is read in bounded memory', async () => {
  const before = heapMb();
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, heapMb())), 5);
  const bytes = await readResponse(await bodyOf(), PIECES);
  clearInterval(timer);
  expect(bytes.equals(Buffer.alloc(PIECES, 'x'))).toBe(true);
  expect(peak - before).toBeLessThan(MAX_GROWTH_MB);
});

test('a body is read no further than asked for', async () => {
  expect(await readResponse(await bodyOf(), 7)).toEqual(Buffer.alloc(7, 'x'));
});
