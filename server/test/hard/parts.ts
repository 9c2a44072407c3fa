import { setTimeout as delay } from 'node:timers/promises';
import { note } from '../figures.ts';
import { createClient } from './http-client.ts';
import { atOnce, atRate, percentile, perSecond } from './load.ts';
import type { Load } from './load.ts';
import { holdIdle, holdSlow } from './raw-lines.ts';
import { slopeOf } from './slope.ts';
import type { Stand } from './stand.ts';

/** How long and how much; the goals do not shrink with them. */
export type Scale = {
  warmUpSeconds: number;
  loadSeconds: number;
  overloadSeconds: number;
  idleLines: number;
  slowLines: number;
  slowSeconds: number;
  soakMinutes: number;
};

/** What was promised and not kept, one sentence each. */
export type Misses = string[];

const CLIENTS = 50;

/** As many good answers a second as it gives to fifty clients. */
async function saturation(stand: Stand, seconds: number): Promise<number> {
  const client = createClient(stand.server.url, stand.token, CLIENTS);
  const rate = perSecond(await atOnce(client, CLIENTS, seconds, stand.mixed));
  client.close();
  return rate;
}

export async function d5(stand: Stand, scale: Scale): Promise<Misses> {
  const most = await saturation(stand, scale.warmUpSeconds);
  const client = createClient(stand.server.url, stand.token, CLIENTS);
  const [load, health, memory] = await Promise.all([
    atRate(client, most * 0.7, scale.loadSeconds, stand.mixed),
    probe(stand, '/healthz', scale.loadSeconds),
    highest(stand.memoryMb, scale.loadSeconds),
  ]);
  client.close();
  const p99 = percentile(load.good, 0.99);
  const errors = load.shed.length + load.other.length;
  const pause = percentile(health, 0.99);
  note({
    what: 'D5 mixed load at 70% of saturation',
    seconds: Math.round(load.seconds),
    'saturation, answers/s': most,
    'asked/s': Math.round(load.asked / load.seconds),
    errors,
    'p50, ms': percentile(load.good, 0.5),
    'p99, ms': p99,
    // From outside: an answer that needs nothing but the event loop.
    '/healthz p99, ms': pause,
    'memory, MB': Math.round(memory),
  });
  return [
    ...(errors > 0 ? [`D5: ${errors} errors instead of none`] : []),
    ...(p99 > 250 ? [`D5: p99 ${p99} ms instead of 250`] : []),
    ...(pause > 50 ? [`D5: /healthz p99 ${pause} ms instead of 50`] : []),
    ...(memory > 300 ? [`D5: ${Math.round(memory)} MB instead of 300`] : []),
  ];
}

export async function d6(stand: Stand, scale: Scale): Promise<Misses> {
  const most = await saturation(stand, scale.warmUpSeconds);
  const misses: Misses = [];
  for (const connections of [500, 2_000]) {
    const client = createClient(stand.server.url, stand.token, connections);
    const load = await atRate(client, most * 3, scale.overloadSeconds, stand.mixed, {
      isFromDue: false,
    });
    client.close();
    const backMs = await msUntilNormal(stand);
    misses.push(...judgeOverload(load, most, connections, backMs));
  }
  return misses;
}

function judgeOverload(load: Load, most: number, connections: number, backMs: number): Misses {
  const goodput = perSecond(load);
  const accepted = percentile(load.good, 0.99);
  const refused = percentile(load.shed, 0.99);
  const silent = load.shed.filter(({ hasRetryAfter }) => !hasRetryAfter).length;
  const share = goodput / most;
  const name = `D6 with ${connections} connections`;
  note({
    what: `${name}, three times saturation`,
    'good answers/s': goodput,
    'of saturation': `${Math.round(share * 100)}%`,
    accepted: load.good.length,
    'accepted p99, ms': accepted,
    refused: load.shed.length,
    'refused p50, ms': percentile(load.shed, 0.5),
    'refused p99, ms': refused,
    'without Retry-After': silent,
    neither: load.other.length,
    'normal again after, ms': Math.round(backMs),
  });
  return [
    ...(accepted > 1_000 ? [`${name}: accepted p99 ${accepted} ms instead of 1000`] : []),
    ...(refused > 50 ? [`${name}: refused p99 ${refused} ms instead of 50`] : []),
    ...(silent > 0 ? [`${name}: ${silent} refusals without Retry-After`] : []),
    ...(load.other.length > 0
      ? [`${name}: ${load.other.length} neither answered nor refused`]
      : []),
    ...(share < 0.8 ? [`${name}: goodput ${Math.round(share * 100)}% instead of 80%`] : []),
    ...(backMs > 5_000 ? [`${name}: normal after ${Math.round(backMs)} ms instead of 5000`] : []),
  ];
}

export async function d8(stand: Stand, scale: Scale): Promise<Misses> {
  const rate = (await saturation(stand, scale.warmUpSeconds)) * 0.5;
  const client = createClient(stand.server.url, stand.token, CLIENTS);
  const seconds = scale.warmUpSeconds;
  const alone = percentile((await atRate(client, rate, seconds, stand.mixed)).good, 0.99);
  const before = await stand.memoryMb();
  const idle = await holdIdle(stand.server.url, scale.idleLines);
  const [load, memory] = await Promise.all([
    atRate(client, rate, seconds, stand.mixed),
    highest(stand.memoryMb, seconds),
  ]);
  client.close();
  const opened = idle.opened;
  const closedMs = await idle.closed;
  const p99 = percentile(load.good, 0.99);
  const grown = Math.round(memory - before);
  note({
    what: 'D8 idle connections beside half of saturation',
    opened,
    'memory grown, MB': grown,
    'p99 without, ms': alone,
    'p99 with, ms': p99,
    errors: load.shed.length + load.other.length,
    'all closed after, s': Math.round(closedMs / 1000),
  });
  return [
    ...(opened < scale.idleLines ? [`D8: only ${opened} of ${scale.idleLines} opened`] : []),
    ...(grown > 150 ? [`D8: ${grown} MB more instead of 150`] : []),
    ...(p99 > 2 * Math.max(alone, 20) ? [`D8: p99 ${p99} ms instead of twice ${alone}`] : []),
    ...(closedMs > 30_000 ? [`D8: idle ones stay ${Math.round(closedMs / 1000)} s`] : []),
  ];
}

export async function d9(stand: Stand, scale: Scale): Promise<Misses> {
  const [lines, answers] = await Promise.all([
    holdSlow(stand.server.url, stand.token, scale.slowLines, scale.slowSeconds * 1000),
    probe(stand, '/api/admin/auth/me', scale.slowSeconds),
  ]);
  const failed = answers.filter(({ status }) => status !== 200).length;
  for (const { kind, count, limitMs, held } of lines) {
    note({ what: `D9 slow ${kind}`, lines: count, [`held past ${limitMs / 1000} s`]: held });
  }
  note({
    what: 'D9 others meanwhile',
    asked: answers.length,
    failed,
    'p99, ms': percentile(answers, 0.99),
  });
  const late = lines.filter(({ held }) => held > 0);
  return [
    ...(failed > 0 ? [`D9: ${failed} of ${answers.length} others failed`] : []),
    ...late.map(({ kind, count, held }) => `D9: ${held} of ${count} slow ${kind} held too long`),
  ];
}

export async function soak(stand: Stand, scale: Scale): Promise<Misses> {
  const rate = (await saturation(stand, scale.warmUpSeconds)) * 0.5;
  const client = createClient(stand.server.url, stand.token, CLIENTS);
  const samples: { minute: number; mb: number }[] = [];
  const descriptors: number[] = [];
  const windows: Load[] = [];
  const seconds = (scale.soakMinutes * 60) / 20;
  for (let window = 0; window < 20; window += 1) {
    windows.push(slim(await atRate(client, rate, seconds, stand.mixed)));
    samples.push({ minute: ((window + 1) * seconds) / 60, mb: await stand.memoryMb() });
    descriptors.push(await stand.descriptors());
  }
  client.close();
  // The first half warms up: compiled code, prepared statements, caches.
  const slope = slopeOf(samples.slice(10).map(({ minute, mb }) => [minute, mb]));
  const [first, last] = [p99Of(windows.slice(0, 5)), p99Of(windows.slice(-5))];
  const errors = windows.reduce((sum, load) => sum + load.shed.length + load.other.length, 0);
  note({
    what: 'S1 soak at half of saturation',
    minutes: scale.soakMinutes,
    'asked/s': Math.round(rate),
    errors,
    'memory at the end, MB': Math.round(samples.at(-1)?.mb ?? 0),
    'memory slope, MB/min': slope.toFixed(2),
    'p99 first quarter, ms': first,
    'p99 last quarter, ms': last,
    'descriptors, least and most': `${Math.min(...descriptors)} ${Math.max(...descriptors)}`,
  });
  return [
    ...(errors > 0 ? [`S1: ${errors} errors`] : []),
    ...(slope > 0.5 ? [`S1: memory grows by ${slope.toFixed(2)} MB a minute`] : []),
    ...(last > 1.2 * Math.max(first, 20) ? [`S1: p99 from ${first} to ${last} ms`] : []),
  ];
}

function p99Of(loads: readonly Load[]): number {
  const good = loads.flatMap((load) => load.good);
  return percentile(good, 0.99);
}

/** A tenth of the answers is enough for a percentile, and a long run has many. */
function slim(load: Load): Load {
  return { ...load, good: load.good.filter((_, index) => index % 10 === 0) };
}

/** One question every tenth of a second, on a line of its own. */
async function probe(stand: Stand, path: string, seconds: number) {
  const client = createClient(stand.server.url, stand.token, 1);
  const load = await atRate(client, 10, seconds, () => ({ method: 'GET', path }));
  client.close();
  return [...load.good, ...load.shed, ...load.other];
}

async function highest(read: () => Promise<number>, seconds: number): Promise<number> {
  let most = 0;
  for (let second = 0; second < seconds; second += 1) {
    most = Math.max(most, await read());
    await delay(1_000);
  }
  return most;
}

/** Until ten answers in a row are good and quick. */
async function msUntilNormal(stand: Stand): Promise<number> {
  const client = createClient(stand.server.url, stand.token, 1);
  const startedAt = performance.now();
  for (let inARow = 0; inARow < 10 && performance.now() - startedAt < 60_000;) {
    const { status, ms } = await client.ask({ method: 'GET', path: '/api/admin/settings' });
    inARow = status === 200 && ms < 250 ? inARow + 1 : 0;
  }
  client.close();
  return performance.now() - startedAt;
}
