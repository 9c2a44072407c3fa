import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';

const HOUR_MS = 60 * 60 * 1000;
const MORE_THAN_ALL_SLOTS = 70;

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return Buffer.from(value ?? []).toString();
}

describe('a response of the service behind that takes long', () => {
  let service: Server;
  let app: FastifyInstance;
  let url: string;
  const begun: ServerResponse[] = [];
  const held: ServerResponse[] = [];

  /** Every call but those to `stats` begins a response; those never get one. */
  function respond({ url: path = '' }: IncomingMessage, response: ServerResponse): void {
    if (path.endsWith('/stats')) return void held.push(response);
    begun.push(response);
    const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    response.writeHead(200, headers);
    response.write('first');
  }

  beforeEach(async () => {
    begun.length = 0;
    held.length = 0;
    service = createServer(respond);
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    // A TCP server has a port.
    const { port } = service.address() as AddressInfo;
    app = await buildApp({
      config: readConfig({ UPSTREAM_API: `http://127.0.0.1:${port}` }),
      log: pino({ level: 'silent' }),
      context: null,
      consoleDir: pathToFileURL('/nowhere/'),
    });
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    service.closeAllConnections();
    service.close();
    await app.close();
  });

  async function open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { body } = await fetch(`${url}/api/admin/events`);
    return (body ?? new ReadableStream<Uint8Array>()).getReader();
  }

  test('is not cut once it has begun, while a call without a response is refused', async () => {
    const reader = await open();
    expect(await read(reader)).toBe('first');
    const unanswered = fetch(`${url}/api/admin/stats`);
    await expect.poll(() => held.length).toBe(1);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + HOUR_MS);
    expect((await unanswered).status).toBe(503);
    begun[0]?.end('last');
    expect(await read(reader)).toBe('last');
  });

  test('is not collected by a proxy, and ends when the server stops', async () => {
    const { headers, body } = await fetch(`${url}/api/admin/events`);
    expect(headers.get('x-accel-buffering')).toBe('no');
    const reader = (body ?? new ReadableStream<Uint8Array>()).getReader();
    expect(await read(reader)).toBe('first');
    await Promise.all([expect(reader.read()).rejects.toThrow('terminated'), app.close()]);
  });

  test('takes no connection from others', async () => {
    const readers = [];
    for (let n = 1; n <= MORE_THAN_ALL_SLOTS; n += 1) {
      const reader = await open();
      readers.push(reader);
      expect(await read(reader)).toBe('first');
    }
    await Promise.all(readers.map((reader) => reader.cancel()));
  });
});
