import { HttpLine } from './http-line.ts';
import type { HttpRequest } from './http-line.ts';

export type Target = { url: string; request: HttpRequest };
export type LoadPace = { rounds: number; roundMs: number };

const CONNECTIONS = 8;

/** Requests per second of each target at eight connections, in turns. */
export async function compareThroughput(
  ours: Target,
  bare: Target,
  { rounds, roundMs }: LoadPace,
): Promise<{ ours: number; bare: number }> {
  const sides = { ours: linesTo(ours), bare: linesTo(bare) };
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
    for (const { line } of [...sides.ours, ...sides.bare]) line.close();
  }
  return { ours: (done.ours / spentMs.ours) * 1000, bare: (done.bare / spentMs.bare) * 1000 };
}

type Loaded = { line: HttpLine; bytes: Buffer };

function linesTo({ url, request }: Target): Loaded[] {
  return Array.from({ length: CONNECTIONS }, () => {
    const line = new HttpLine(url);
    return { line, bytes: line.bytesOf(request) };
  });
}

async function load(lines: Loaded[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  let answers = 0;
  const loops = lines.map(async ({ line, bytes }) => {
    while (performance.now() < until) {
      await line.send(bytes);
      answers += 1;
    }
  });
  await Promise.all(loops);
  return answers;
}
