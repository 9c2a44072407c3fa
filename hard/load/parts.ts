import { setTimeout as delay } from 'node:timers/promises';
import { note } from '../../server/test/figures.ts';
import type { Verdict } from '../../server/test/figures.ts';
import { createClient } from './http-client.ts';
import {
  atOnce,
  atRate,
  countErrors,
  countOther,
  namesOfOther,
  perSecond,
  percentile,
} from './load.ts';
import type { Load } from './load.ts';
import { holdIdle, holdSlow } from './raw-connections.ts';
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

/** Kept when the number is at most what was promised. */
function atMost(goal: string, limit: number, measured: number, unit = ''): Verdict {
  return {
    goal: `${goal} <= ${limit}${unit}`,
    measured: `${measured}${unit}`,
    isMet: measured <= limit,
  };
}

function none(goal: string, measured: number): Verdict {
  return { goal: `${goal}: none`, measured: String(measured), isMet: measured === 0 };
}

const CLIENTS = 50;

/** As many good answers a second as it gives to fifty clients, once it is warm. */
async function saturation(stand: Stand, seconds: number): Promise<number> {
  const client = createClient(stand.server.url, stand.token, CLIENTS);
  await atOnce(client, CLIENTS, seconds, stand.mixed);
  const rate = perSecond(await atOnce(client, CLIENTS, seconds, stand.mixed));
  client.close();
  return rate;
}

export async function d5(stand: Stand, scale: Scale): Promise<Verdict[]> {
  const most = await saturation(stand, scale.warmUpSeconds);
  const client = createClient(stand.server.url, stand.token, CLIENTS);
  const [load, health, memory] = await Promise.all([
    atRate(client, most * 0.7, scale.loadSeconds, stand.mixed),
    probe(stand, '/healthz', scale.loadSeconds),
    highest(stand.memoryMb, scale.loadSeconds),
  ]);
  client.close();
  const p99 = percentile(load.good, 0.99);
  const errors = countErrors(load) + countErrors(health);
  const pause = percentile(health.good, 0.99);
  note({
    what: 'D5 mixed load at 70% of saturation',
    seconds: Math.round(load.seconds),
    'saturation, answers/s': most,
    'asked/s': Math.round(load.asked / load.seconds),
    errors,
    'of these not 503': namesOfOther(load),
    'p50, ms': percentile(load.good, 0.5),
    'p99, ms': p99,
    // From outside: an answer that needs nothing but the event loop.
    '/healthz p99, ms': pause,
    'memory, MB': Math.round(memory),
  });
  return [
    none(`D5: errors in ${Math.round(load.seconds)} s at 70% of ${most}/s`, errors),
    atMost('D5: p99', 250, p99, ' ms'),
    atMost('D5: /healthz p99', 50, pause, ' ms'),
    atMost('D5: memory', 300, Math.round(memory), ' MB'),
  ];
}

export async function d6(stand: Stand, scale: Scale): Promise<Verdict[]> {
  const most = await saturation(stand, scale.warmUpSeconds);
  const verdicts: Verdict[] = [];
  for (const connections of [500, 2_000]) {
    const client = createClient(stand.server.url, stand.token, connections);
    const load = await atRate(client, most * 3, scale.overloadSeconds, stand.mixed, {
      isFromDue: false,
    });
    client.close();
    const backMs = await msUntilNormal(stand);
    verdicts.push(...judgeOverload(load, most, connections, backMs));
  }
  return verdicts;
}

function judgeOverload(load: Load, most: number, connections: number, backMs: number): Verdict[] {
  const goodput = perSecond(load);
  const accepted = percentile(load.good, 0.99);
  const refused = percentile(load.shed, 0.99);
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
    'without Retry-After': load.shedSilently,
    neither: countOther(load),
    'which were': namesOfOther(load),
    'first on a new line': load.firsts.length,
    'these p50, ms': percentile(load.firsts, 0.5),
    'these p99, ms': percentile(load.firsts, 0.99),
    'normal again after, ms': Math.round(backMs),
  });
  return [
    atMost(`${name}: accepted p99`, 1_000, accepted, ' ms'),
    atMost(`${name}: refused p99`, 50, refused, ' ms'),
    none(`${name}: refusals without Retry-After`, load.shedSilently),
    none(`${name}: neither answered nor refused`, countOther(load)),
    {
      goal: `${name}: goodput >= 80% of ${most}/s`,
      measured: `${Math.round(share * 100)}%`,
      isMet: share >= 0.8,
    },
    atMost(`${name}: normal again after`, 5_000, Math.round(backMs), ' ms'),
  ];
}

export async function d8(stand: Stand, scale: Scale): Promise<Verdict[]> {
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
    errors: countErrors(load),
    'all closed after, s': Math.round(closedMs / 1000),
  });
  return [
    {
      goal: `D8: ${scale.idleLines} idle connections open`,
      measured: String(opened),
      isMet: opened >= scale.idleLines,
    },
    atMost('D8: memory grown', 150, grown, ' MB'),
    atMost(`D8: p99, twice that without (${alone} ms)`, 2 * Math.max(alone, 20), p99, ' ms'),
    atMost('D8: idle ones closed after', 30, Math.round(closedMs / 1000), ' s'),
  ];
}

export async function d9(stand: Stand, scale: Scale): Promise<Verdict[]> {
  const [connections, others] = await Promise.all([
    holdSlow(stand.server.url, stand.token, scale.slowLines, scale.slowSeconds * 1000),
    probe(stand, '/api/admin/auth/me', scale.slowSeconds),
  ]);
  const failed = countErrors(others);
  for (const { kind, count, limitMs, held } of connections) {
    note({ what: `D9 slow ${kind}`, connections: count, [`held past ${limitMs / 1000} s`]: held });
  }
  note({
    what: 'D9 others meanwhile',
    asked: others.asked,
    failed,
    'of these not 503': namesOfOther(others),
    'p99, ms': percentile(others.good, 0.99),
  });
  return [
    none(`D9: failed of ${others.asked} others`, failed),
    ...connections.map(({ kind, count, limitMs, held }) =>
      none(`D9: slow ${kind}, of ${count} held past ${limitMs / 1000} s`, held),
    ),
  ];
}

export async function soak(stand: Stand, scale: Scale): Promise<Verdict[]> {
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
  const errors = windows.reduce((sum, load) => sum + countErrors(load), 0);
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
  const bound = Math.round(1.2 * Math.max(first, 20));
  return [
    none(`S1: errors in ${scale.soakMinutes} min at half of saturation`, errors),
    atMost('S1: memory, a minute', 0.5, Number(slope.toFixed(2)), ' MB'),
    atMost(`S1: p99 of the last quarter, 1.2 times the first (${first} ms)`, bound, last, ' ms'),
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
  return load;
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
