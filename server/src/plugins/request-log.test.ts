import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog, logRequests } from '../log.ts';

let app: FastifyInstance;
let lines: string[];

beforeEach(() => {
  lines = [];
  const log: FastifyBaseLogger = createLog('debug', { write: (line) => lines.push(line) });
  app = fastify({ loggerInstance: log });
  logRequests(app);
  app.get('/api/things/:id', () => ({ done: true }));
  app.get('/assets/:name', () => 'a file');
  app.get('/api/endless', (_, reply) => reply.send(Readable.from(endlessly())));
  app.get('/api/never', () => new Promise(() => {}));
});
afterEach(() => app.close());

function* endlessly() {
  for (;;) yield 'x'.repeat(64 * 1024);
}

/** The line that is written about a request. */
async function lineOf(url: string, remoteAddress: string): Promise<Record<string, unknown>> {
  lines = [];
  await app.inject({ url, remoteAddress });
  return onlyLine();
}

function onlyLine(): Record<string, unknown> {
  const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const [line, ...more] = written.filter(({ msg }) => msg === 'Request');
  if (line === undefined || more.length > 0) throw new Error('Not one line for one request');
  return line;
}

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
])('the line of a call from %s names the network %s', async (address, network) => {
  expect(await lineOf('/api/things/7', address)).toMatchObject({
    level: 'info',
    method: 'GET',
    route: '/api/things/:id',
    status: 200,
    network,
  });
});

test('the line of a file does not', async () => {
  const line = await lineOf('/assets/a.js', '203.0.113.7');
  expect(line).toMatchObject({ level: 'debug', route: '/assets/:name', status: 200 });
  expect(line).not.toHaveProperty('network');
});

test.each([
  ['whose response has begun', '/api/endless', 200],
  ['that still waits for one', '/api/never', null],
])('a request %s leaves its line when the client aborts it', async (_, path, status) => {
  const begun = once(app.server, 'request');
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const client = connect(Number(url.port), url.hostname).on('error', () => {});
  client.write(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  const [, response] = await begun;
  if (status !== null) await once(client, 'data');
  const closed = once(response, 'close');
  client.destroy();
  await closed;
  expect(onlyLine()).toMatchObject({
    level: 'info',
    method: 'GET',
    route: path,
    status,
    aborted: true,
    network: '127.0.0.1',
  });
});

test('requests on one connection leave one line each, and are not called aborted', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const _ of [1, 2, 3]) await (await fetch(`${url}/api/things/7`)).text();
  await app.close();
  const written = lines.filter((line) => line.includes('"msg":"Request"'));
  expect(written).toHaveLength(3);
  expect(written.join()).not.toContain('aborted');
});
