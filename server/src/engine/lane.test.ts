import { beforeEach, describe, expect, test } from 'vitest';
import { createLanes } from './lanes.ts';
import type { Entry } from './lane.ts';

const HOST = 'https://pds.test';
let now = 0;
const lanes = ({ concurrency = 100, hostConcurrency = 8, perSecond = Infinity } = {}) =>
  createLanes({
    concurrency,
    now: () => now,
    limitsOf: () => ({ concurrency: hostConcurrency, perSecond: () => perSecond }),
  });
type Lanes = ReturnType<typeof lanes>;

beforeEach(() => {
  now = 1_000_000;
});

async function go(made: Lanes, did: string, host = HOST): Promise<Entry & { kind: 'go' }> {
  const entry = await made.enter(host, did);
  if (entry.kind !== 'go') throw new Error(`Put off because of ${entry.because}`);
  return entry;
}

async function settledOf(entries: Promise<Entry>[]): Promise<number> {
  let settled = 0;
  for (const entry of entries) void entry.then(() => (settled += 1));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('a lane', () => {
  test('lets as many calls go at once as its host takes, and one per repository', async () => {
    const made = lanes({ hostConcurrency: 2 });
    const first = await go(made, 'a');
    const waiting = ['a', 'b', 'c'].map((did) => made.enter(HOST, did));
    expect(await settledOf(waiting)).toBe(1);
    first.leave({ state: 'ok' });
    expect(await settledOf(waiting)).toBe(2);
  });

  test('puts the posts of an account off that has used up its writes, and no others', async () => {
    const made = lanes();
    (await go(made, 'a')).leave({ state: 'account_limited', until: now + 60_000 });
    expect(await made.enter(HOST, 'a')).toEqual({
      kind: 'put_off',
      inMs: 60_000,
      because: 'account_limited',
    });
    (await go(made, 'b')).leave({ state: 'ok' });
    now += 60_000;
    (await go(made, 'a')).leave({ state: 'ok' });
  });

  test('keeps its rate when the clock is set back', async () => {
    const made = lanes({ perSecond: 4 });
    (await go(made, 'a')).leave({ state: 'ok' });
    now -= 600_000;
    const waiting = made.enter(HOST, 'b');
    expect(await settledOf([waiting])).toBe(0);
    now += 1_000;
    void made.enter(HOST, 'c');
    expect(await settledOf([waiting])).toBe(1);
  });

  test('keeps its rate', async () => {
    const made = lanes({ hostConcurrency: 50, perSecond: 4 });
    (await go(made, 'a')).leave({ state: 'ok' });
    now += 10_000;
    const entries = Array.from({ length: 10 }, (_, index) => made.enter(HOST, `did${index}`));
    expect(await settledOf(entries)).toBe(4);
    made.close();
  });

  test('closes after five failures in a row, lets one probe through, and opens with it', async () => {
    const made = lanes();
    for (let failure = 0; failure < 5; failure += 1) (await go(made, 'a')).leave({ state: 'down' });
    expect(await made.enter(HOST, 'a')).toMatchObject({ kind: 'put_off', because: 'host_down' });
    expect(made.takeChanges()).toMatchObject([{ host: HOST, state: 'DOWN' }]);
    now += 5_000;
    const probe = await go(made, 'a');
    expect(await made.enter(HOST, 'b')).toMatchObject({ kind: 'put_off' });
    probe.leave({ state: 'ok' });
    (await go(made, 'b')).leave({ state: 'ok' });
    expect(made.takeChanges()).toMatchObject([{ state: 'OPEN', retryAt: null }]);
  });

  test('says what the last failure was', async () => {
    const made = lanes();
    const ways = ['down', 'slow', 'down', 'down', 'unreachable'] as const;
    for (const state of ways) (await go(made, 'a')).leave({ state });
    const because = 'network_unreachable';
    expect(await made.enter(HOST, 'a')).toMatchObject({ kind: 'put_off', because });
    expect(made.takeChanges()).toMatchObject([{ state: 'DOWN', cause: because }]);
    now += 5_000;
    (await go(made, 'a')).leave({ state: 'ok' });
    expect(made.takeChanges()).toMatchObject([{ state: 'OPEN', cause: null }]);
  });

  test('stays closed for longer after every failed probe', async () => {
    const made = lanes();
    for (let failure = 0; failure < 5; failure += 1) (await go(made, 'a')).leave({ state: 'slow' });
    now += 5_000;
    (await go(made, 'a')).leave({ state: 'down' });
    now += 5_000;
    expect(await made.enter(HOST, 'a')).toMatchObject({ kind: 'put_off' });
    now += 5_000;
    (await go(made, 'a')).leave({ state: 'ok' });
  });

  test('puts everything off until the host takes calls again', async () => {
    const made = lanes();
    const [limited, late] = [await go(made, 'a'), await go(made, 'b')];
    limited.leave({ state: 'limited', until: now + 30_000 });
    late.leave({ state: 'ok' });
    const entry = await made.enter(HOST, 'c');
    expect(entry).toMatchObject({ kind: 'put_off', because: 'rate_limited_host' });
    expect(entry.kind === 'put_off' && entry.inMs).toBeGreaterThanOrEqual(30_000);
    now += 30_000;
    (await go(made, 'c')).leave({ state: 'ok' });
  });

  test('puts off what a slow host would not take within two seconds', async () => {
    const made = lanes({ hostConcurrency: 1 });
    const first = await go(made, 'a');
    now += 5_000;
    first.leave({ state: 'ok' });
    const entries = Array.from({ length: 40 }, (_, index) => made.enter(HOST, `did${index}`));
    const last = await entries.at(-1);
    expect(last).toMatchObject({ kind: 'put_off', because: 'busy' });
    const before = await entries.at(-2);
    // Each gets a turn of its own.
    expect(last?.kind === 'put_off' && before?.kind === 'put_off' && last.inMs > before.inMs).toBe(
      true,
    );
    expect(made.takeChanges()).toMatchObject([{ state: 'OPEN' }]);
  });

  test('never uses the slots of the whole process twice, and shares them', async () => {
    const made = lanes({ concurrency: 2, hostConcurrency: 2 });
    const slow = [await go(made, 'a', 'slow'), await go(made, 'b', 'slow')];
    const waiting = [made.enter('fast', 'c'), made.enter('fast', 'd')];
    expect(await settledOf(waiting)).toBe(0);
    slow[0]?.leave({ state: 'ok' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await settledOf(waiting)).toBe(1);
  });
});
