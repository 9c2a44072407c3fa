import { HttpConnection } from './http-connection.ts';
import type { HttpRequest } from './http-connection.ts';

export type Target = { url: string; request: HttpRequest };
export type LoadPace = { rounds: number; roundMs: number };

const CONNECTIONS = 8;

/** Requests per second of each target at eight connections, in turns. */
export async function compareThroughput(
  ours: Target,
  bare: Target,
  { rounds, roundMs }: LoadPace,
): Promise<{ ours: number; bare: number }> {
  const sides = { ours: connectionsTo(ours), bare: connectionsTo(bare) };
  const done = { ours: 0, bare: 0 };
  const spentMs = { ours: 0, bare: 0 };
  try {
    // Every connection of both pools prepares its statement before anything counts.
    await load(sides.ours, roundMs / 2);
    await load(sides.bare, roundMs / 2);
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
      for (const side of order) {
        const startedAt = performance.now();
        done[side] += await load(sides[side], roundMs);
        spentMs[side] += performance.now() - startedAt;
      }
    }
  } finally {
    for (const { connection } of [...sides.ours, ...sides.bare]) connection.close();
  }
  return { ours: (done.ours / spentMs.ours) * 1000, bare: (done.bare / spentMs.bare) * 1000 };
}

type Loaded = { connection: HttpConnection; bytes: Buffer };

function connectionsTo({ url, request }: Target): Loaded[] {
  return Array.from({ length: CONNECTIONS }, () => {
    const connection = new HttpConnection(url);
    return { connection, bytes: connection.bytesOf(request) };
  });
}

async function load(connections: Loaded[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  let responses = 0;
  const loops = connections.map(async ({ connection, bytes }) => {
    while (performance.now() < until) {
      await connection.send(bytes);
      responses += 1;
    }
  });
  await Promise.all(loops);
  return responses;
}
