import { fastify } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { logRequests } from './request-log.plugin.ts';

let app: FastifyInstance;
let lines: string[];

beforeEach(() => {
  lines = [];
  const log: FastifyBaseLogger = createLog('debug', { write: (line) => lines.push(line) });
  app = fastify({ loggerInstance: log });
  logRequests(app);
  app.get('/api/things/:id', () => ({ done: true }));
  app.get('/assets/:name', () => 'a file');
});
afterEach(() => app.close());

/** The line that is written about a request. */
async function lineOf(url: string, remoteAddress: string): Promise<Record<string, unknown>> {
  lines = [];
  await app.inject({ url, remoteAddress });
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
