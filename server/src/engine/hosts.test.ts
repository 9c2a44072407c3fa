import { beforeEach, describe, expect, test } from 'vitest';
import { createHosts } from './hosts.ts';
import type { Permit } from './hosts.ts';

const HOST = 'https://pds.test';
let now = 0;
const hostsOf = ({ concurrency = 100, hostConcurrency = 8, perSecond = Infinity } = {}) =>
  createHosts({
    concurrency,
    now: () => now,
    limitsOf: () => ({ concurrency: hostConcurrency, perSecond: () => perSecond }),
  });
type Made = ReturnType<typeof hostsOf>;

beforeEach(() => {
  now = 1_000_000;
});

async function go(made: Made, did: string, host = HOST): Promise<Permit & { kind: 'go' }> {
  const entry = await made.enter(host, did);
  if (entry.kind !== 'go') throw new Error(`Put off because of ${entry.because}`);
  return entry;
}

async function settledOf(entries: Promise<Permit>[]): Promise<number> {
  let settled = 0;
  for (const entry of entries) void entry.then(() => (settled += 1));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('the calls to a host', () => {
  test('lets as many calls go at once as its host takes, and one per repository', async () => {
    const made = hostsOf({ hostConcurrency: 2 });
    const first = await go(made, 'a');
    const waiting = ['a', 'b', 'c'].map((did) => made.enter(HOST, did));
    expect(await settledOf(waiting)).toBe(1);
    first.leave({ state: 'ok' });
    expect(await settledOf(waiting)).toBe(2);
  });

  test('puts the posts of an account off that has used up its writes, and no others', async () => {
    const made = hostsOf();
    (await go(made, 'a')).leave({ state: 'account_limited', until: now + 60_000 });
    expect(await made.enter(HOST, 'a')).toEqual({
      kind: 'wait',
      inMs: 60_000,
      because: 'account_limited',
    });
    (await go(made, 'b')).leave({ state: 'ok' });
    now += 60_000;
    (await go(made, 'a')).leave({ state: 'ok' });
  });

  test('keeps its rate when the clock is set back', async () => {
    const made = hostsOf({ perSecond: 4 });
    (await go(made, 'a')).leave({ state: 'ok' });
    now -= 600_000;
    const waiting = made.enter(HOST, 'b');
    expect(await settledOf([waiting])).toBe(0);
    now += 1_000;
    void made.enter(HOST, 'c');
    expect(await settledOf([waiting])).toBe(1);
  });

  test('keeps its rate', async () => {
    const made = hostsOf({ hostConcurrency: 50, perSecond: 4 });
    (await go(made, 'a')).leave({ state: 'ok' });
    now += 10_000;
    const entries = Array.from({ length: 10 }, (_, index) => made.enter(HOST, `did${index}`));
    expect(await settledOf(entries)).toBe(4);
    made.close();
  });

  test('closes after five failures in a row, lets one probe through, and opens with it', async () => {
    const made = hostsOf();
    for (let failure = 0; failure < 5; failure += 1) (await go(made, 'a')).leave({ state: 'down' });
    expect(await made.enter(HOST, 'a')).toMatchObject({ kind: 'wait', because: 'host_down' });
    expect(made.takeChanges()).toMatchObject([{ host: HOST, state: 'DOWN' }]);
    now += 5_000;
    const probe = await go(made, 'a');
    expect(await made.enter(HOST, 'b')).toMatchObject({ kind: 'wait' });
    probe.leave({ state: 'ok' });
    (await go(made, 'b')).leave({ state: 'ok' });
    expect(made.takeChanges()).toMatchObject([{ state: 'OPEN', retryAt: null }]);
  });

  test('says what the last failure was', async () => {
    const made = hostsOf();
    const ways = ['down', 'slow', 'down', 'down', 'unreachable'] as const;
    for (const state of ways) (await go(made, 'a')).leave({ state });
    const because = 'network_unreachable';
    expect(await made.enter(HOST, 'a')).toMatchObject({ kind: 'wait', because });
    expect(made.takeChanges()).toMatchObject([{ state: 'DOWN', cause: because }]);
    now += 5_000;
    (await go(made, 'a')).leave({ state: 'ok' });
    expect(made.takeChanges()).toMatchObject([{ state: 'OPEN', cause: null }]);
  });

  test('stays closed for longer after every failed probe', async () => {
    const made = hostsOf();
    for (let failure = 0; failure < 5; failure += 1) (await go(made, 'a')).leave({ state: 'slow' });
    now += 5_000;
    (await go(made, 'a')).leave({ state: 'down' });
    now += 5_000;
    expect(await made.enter(HOST, 'a')).toMatchObject({ kind: 'wait' });
    now += 5_000;
    (await go(made, 'a')).leave({ state: 'ok' });
  });

  test('puts everything off until the host takes calls again', async () => {
    const made = hostsOf();
    const [limited, late] = [await go(made, 'a'), await go(made, 'b')];
    limited.leave({ state: 'limited', until: now + 30_000 });
    late.leave({ state: 'ok' });
    const entry = await made.enter(HOST, 'c');
    expect(entry).toMatchObject({ kind: 'wait', because: 'rate_limited_host' });
    expect(entry.kind === 'wait' && entry.inMs).toBeGreaterThanOrEqual(30_000);
    now += 30_000;
    (await go(made, 'c')).leave({ state: 'ok' });
  });

  test('puts off what a slow host would not take within two seconds', async () => {
    const made = hostsOf({ hostConcurrency: 1 });
    const first = await go(made, 'a');
    now += 5_000;
    first.leave({ state: 'ok' });
    const entries = Array.from({ length: 40 }, (_, index) => made.enter(HOST, `did${index}`));
    const last = await entries.at(-1);
    expect(last).toMatchObject({ kind: 'wait', because: 'busy' });
    const before = await entries.at(-2);
    // Each gets a turn of its own.
    expect(last?.kind === 'wait' && before?.kind === 'wait' && last.inMs > before.inMs).toBe(true);
    expect(made.takeChanges()).toMatchObject([{ state: 'OPEN' }]);
  });

  test('never uses the slots of the whole process twice, and shares them', async () => {
    const made = hostsOf({ concurrency: 2, hostConcurrency: 2 });
    const slow = [await go(made, 'a', 'slow'), await go(made, 'b', 'slow')];
    const waiting = [made.enter('fast', 'c'), made.enter('fast', 'd')];
    expect(await settledOf(waiting)).toBe(0);
    slow[0]?.leave({ state: 'ok' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await settledOf(waiting)).toBe(1);
  });
});
