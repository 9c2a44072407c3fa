import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';

const LINE = 'The service behind the console sent a response of an unexpected form';
const ME = { username: 'ana', displayName: null };

type Logged = { msg: string; call: string; status: number; differences: string[] };

describe('a response of the service behind', () => {
  let service: Server;
  let respond: (response: ServerResponse) => void;
  let app: FastifyInstance;
  let lines: string[];

  beforeEach(async () => {
    service = createServer((_, response) => respond(response));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    // A TCP server has a port.
    const { port } = service.address() as AddressInfo;
    lines = [];
    app = await buildApp({
      config: readConfig({ UPSTREAM_API: `http://127.0.0.1:${port}` }),
      log: createLog('info', { write: (line) => lines.push(line) }),
      context: null,
      consoleDir: pathToFileURL('/nowhere/'),
    });
  });
  afterEach(async () => {
    await app.close();
    service.closeAllConnections();
    service.close();
  });

  /** The log lines about shapes, after everything that was passed on has been judged. */
  async function warnings(): Promise<Logged[]> {
    await new Promise((resolve) => setImmediate(resolve));
    const parsed = lines.map((line) => JSON.parse(line) as Logged); // pino's own lines
    return parsed.filter(({ msg }) => msg === LINE);
  }
  async function pass(url: string, body: unknown, status = 200): Promise<string> {
    respond = (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    return (await app.inject(url)).body;
  }

  test('is logged once per call and form, by its fields and without their values', async () => {
    const settings = { is_closed_beta: 'a secret word', updated_at: 5 };
    for (const _ of [1, 2, 3]) await pass('/api/admin/settings', settings);
    expect(await warnings()).toEqual([
      expect.objectContaining({
        call: 'GET /api/admin/settings',
        status: 200,
        differences: [
          '`is_closed_beta` is a text; the console shows true or false there',
          '`is_service_suspended` is missing; the console shows true or false there',
          '`updated_at` is a number; the console shows an ISO 8601 time, such as 2026-03-02T08:14:00.000Z, there',
        ],
      }),
    ]);
    await pass('/api/admin/settings', { ...settings, is_service_suspended: true });
    expect(await warnings()).toHaveLength(2);
    expect(lines.join('')).not.toContain('a secret word');
  });

  test('that fits is not logged, nor is one of a call that the contract does not know', async () => {
    await pass('/api/admin/auth/me', ME);
    await pass('/api/admin/users/7', { message: 'User not found' }, 404);
    await pass('/api/admin/reports/7', '<html>');
    expect(await warnings()).toEqual([]);
  });

  test.each([
    ['no JSON', '/api/admin/stats', '<html>', 200, 'the response is not JSON'],
    [
      'an error without a message',
      '/api/admin/users/u-1?x=secret',
      {},
      500,
      'the response is an error without `message`; the console shows that text to the administrator',
    ],
    [
      'no object',
      '/api/admin/auth/me',
      [],
      200,
      'the response is a list; the console shows an object with username, displayName there',
    ],
  ])('that is %s is logged, and passed on as it is', async (_, url, body, status, sentence) => {
    const passed = await pass(url, body, status);
    expect(passed).toBe(typeof body === 'string' ? body : JSON.stringify(body));
    const [logged] = await warnings();
    expect(logged?.differences).toEqual([sentence]);
    expect(JSON.stringify(logged)).not.toMatch(/u-1|secret/);
  });

  test('that is larger than what is kept passes whole and unchecked', async () => {
    const body = JSON.stringify({ padding: 'x'.repeat(1_000_000) });
    expect(await pass('/api/admin/settings', body)).toBe(body);
    expect(await warnings()).toEqual([]);
  });

  test('reaches the client before it has ended', async () => {
    const rest = Promise.withResolvers<void>();
    respond = (response) => {
      response.write('{"username":"ana",');
      void rest.promise.then(() => response.end('"displayName":null}'));
    };
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { body } = await fetch(`${url}/api/admin/auth/me`);
    const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
    const first = await reader.read();
    expect(Buffer.from(first.value ?? []).toString()).toBe('{"username":"ana",');
    rest.resolve();
    const second = await reader.read();
    expect(Buffer.from(second.value ?? []).toString()).toBe('"displayName":null}');
  });

  test('is remembered in bounded memory, however many forms there are', async () => {
    const FORMS = 520;
    for (let form = 0; form < FORMS; form += 1) {
      await pass('/api/admin/plans/7', { plan: { id: '7', limits: { [`limit_${form}`]: 'x' } } });
    }
    expect(await warnings()).toHaveLength(500);
  });
});
