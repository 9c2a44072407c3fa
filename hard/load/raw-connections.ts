import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const BATCH = 200;

export type Idle = { opened: number; closed: Promise<number> };

/** Opens so many connections and says nothing on them; `closed` is when the server has ended the last. */
export async function holdIdle(url: string, connections: number): Promise<Idle> {
  const startedAt = performance.now();
  const ends: Promise<unknown>[] = [];
  for (let opened = 0; opened < connections; opened += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, connections - opened) }, () => open(url));
    const connected = await Promise.all(batch.map(isConnected));
    ends.push(
      ...batch.filter((_, index) => connected[index]).map((socket) => once(socket, 'close')),
    );
  }
  const closed = Promise.all(ends).then(() => performance.now() - startedAt);
  return { opened: ends.length, closed };
}

/** `held`: connections that the server bore longer than it should. */
export type SlowKind = { kind: string; count: number; limitMs: number; held: number };

/** What a slow client sends, and then a little every second; and how long the server should bear it. */
const KINDS: { kind: string; limitMs: number; first: (token: string) => string; drip: string }[] = [
  {
    kind: 'headers',
    limitMs: 10_000,
    first: () => 'GET /api/admin/settings HTTP/1.1\r\nHost: localhost\r\n',
    drip: 'X-Slow: 1\r\n',
  },
  {
    kind: 'body',
    limitMs: 15_000,
    first: (token) =>
      `PATCH /api/admin/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
    drip: ' ',
  },
  {
    kind: 'reading',
    limitMs: 20_000,
    first: (token) =>
      `GET /api/admin/posts?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    drip: '',
  },
  {
    kind: 'ranges',
    limitMs: 20_000,
    first: () =>
      `GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-${',5-'.repeat(1_000)}1\r\n\r\n`,
    drip: '',
  },
];

/** The server looks at its connections ten times a second; it also has other things to do. */
const GRACE_MS = 2_000;
/** As many a second as such attacks open: a thousand at once would be a test of something else. */
const OPENED_PER_SECOND = 200;

/** Keeps so many slow connections open, a quarter of each kind, replacing those the server ends. */
export async function holdSlow(
  url: string,
  token: string,
  connections: number,
  forMs: number,
): Promise<SlowKind[]> {
  const until = performance.now() + forMs;
  return Promise.all(
    KINDS.map(async ({ kind, limitMs, first, drip }) => {
      const found = { kind, count: 0, limitMs, held: 0 };
      const patienceMs = limitMs + GRACE_MS;
      const hold = async (index: number) => {
        await delay((index * KINDS.length * 1000) / OPENED_PER_SECOND);
        // One that could not be watched to its end would say nothing.
        while (performance.now() + patienceMs < until) {
          const socket = open(url);
          if (!(await isConnected(socket))) continue;
          found.count += 1;
          socket.write(first(token));
          const isEnded =
            drip === '' ? sleepOn(socket, patienceMs) : dripOn(socket, drip, patienceMs);
          if (!(await isEnded)) found.held += 1;
          socket.destroy();
        }
      };
      await Promise.all(
        Array.from({ length: Math.ceil(connections / KINDS.length) }, (_, index) => hold(index)),
      );
      return found;
    }),
  );
}

/** Whether the server ends the line in time although something always comes. */
async function dripOn(socket: Socket, drip: string, patienceMs: number): Promise<boolean> {
  const closed = once(socket, 'close').then(() => true);
  const dripping = setInterval(() => socket.write(drip), 1_000);
  socket.resume();
  const isEnded = await Promise.race([closed, delay(patienceMs, false)]);
  clearInterval(dripping);
  return isEnded;
}

/**
 * Whether the server has ended the line in the meantime, although its answer was never read. Who does
 * not read does not hear of the end either; only a write shows it.
 */
async function sleepOn(socket: Socket, patienceMs: number): Promise<boolean> {
  await delay(patienceMs);
  for (let tries = 0; tries < 3 && !socket.destroyed; tries += 1) {
    socket.write('\r\n');
    await delay(200);
  }
  return socket.destroyed;
}

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return socket;
}

async function isConnected(socket: Socket): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('connect', () => resolve(true));
  socket.once('close', () => resolve(false));
  return promise;
}
