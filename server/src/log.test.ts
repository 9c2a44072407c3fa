import { fastify } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailable } from './db/errors.ts';
import { createLog, logRequests } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog('info', { write: (line) => lines.push(line) }));
  return JSON.parse(lines.join('')) as Record<string, unknown>;
}

test('a log line has its level and time', () => {
  expect(logged((log) => log.info({ requestId: 'r' }, 'Request'))).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    requestId: 'r',
    msg: 'Request',
  });
});

test('secrets are masked at any depth', () => {
  const secrets = { password: 'hunter2', token: 'hunter2', authorization: 'hunter2' };
  const line = logged((log) =>
    log.warn({ ...secrets, body: secrets, request: { headers: secrets } }),
  );
  expect(JSON.stringify(line)).not.toContain('hunter2');
  expect(line['password']).toBe('[secret]');
});

test('secrets are masked in lists, bindings of child loggers and other errors', () => {
  const secrets = { password: 'hunter2', connectionString: 'hunter2' };
  const failed = Object.assign(new Error('failed'), secrets);
  const line = logged((log) =>
    log.child({ requestId: 'r', session: secrets }).warn({
      attempts: [{ name: 'one' }, secrets],
      nested: { deep: { deeper: secrets } },
      cause: failed,
      at: new Date(0),
    }),
  );
  expect(JSON.stringify(line)).not.toContain('hunter2');
  expect(line).toMatchObject({
    requestId: 'r',
    session: { password: '[secret]' },
    attempts: [{ name: 'one' }, { password: '[secret]' }],
    at: '1970-01-01T00:00:00.000Z',
  });
});

test('logged objects are not changed', () => {
  const request = { headers: { authorization: 'Bearer x', accept: '*/*' } };
  logged((log) => log.info({ request }, 'Request'));
  expect(request).toEqual({ headers: { authorization: 'Bearer x', accept: '*/*' } });
});

test('an error is logged with its causes, without attached objects', () => {
  const refused = Object.assign(new Error('connect'), {
    code: 'ECONNREFUSED',
    client: { secretKey: 'hunter2' },
    detail: 'Key (name)=(hunter2) exists',
  });
  const line = logged((log) => log.error({ err: new DatabaseUnavailable(refused) }, 'Failed'));
  expect(line['err']).toMatchObject({
    type: 'DatabaseUnavailable',
    cause: { message: 'connect', code: 'ECONNREFUSED' },
  });
  expect(JSON.stringify(line)).not.toContain('hunter2');
});

test('text that looks like a secret is left alone', () => {
  const line = logged((log) => log.info({ text: '"password":"x"' }, '{"token":"y"}'));
  expect(line).toMatchObject({ text: '"password":"x"', msg: '{"token":"y"}' });
});

test('a line break in a message starts no new log line', () => {
  const line = logged((log) => log.info('one\n{"level":"fatal"}'));
  expect(line).toMatchObject({ level: 'info', msg: 'one\n{"level":"fatal"}' });
});

function* endlessly() {
  for (;;) yield 'x'.repeat(64 * 1024);
}

describe('request log', () => {
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
});
