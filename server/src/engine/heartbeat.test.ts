import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { sql } from '../db/sql.ts';
import { listWorkers } from '../features/engine/engine.ts';
import { beat, createClock, ownTime } from './heartbeat.ts';
import { saveHosts } from './hosts.ts';
import type { HostState } from './hosts.ts';

const minuteAt = (minute: number) => Date.UTC(2026, 10, 16, 10, minute);

describe('heartbeat', () => {
  const api = setUpApp('server');

  test('a host is in its state since the first worker saw it, not since each of them did', async () => {
    const host = 'https://pds.test';
    /** What a worker tells, and how long the host has been so. */
    const saved = async (state: HostState, since: number) => {
      await saveHosts(api.db, [
        { host, state, cause: null, since: minuteAt(since), retryAt: null, lastOkAt: null },
      ]);
      const row = await api.db.one<{ state: string; since: string }>(
        sql`select state, state_since as since from hosts where host = ${host}`,
      );
      return [row.state, new Date(row.since).getUTCMinutes()];
    };
    expect(await saved('OPEN', 0)).toEqual(['OPEN', 0]);
    expect(await saved('OPEN', 7)).toEqual(['OPEN', 0]);
    expect(await saved('DOWN', 9)).toEqual(['DOWN', 9]);
    expect(await saved('DOWN', 11)).toEqual(['DOWN', 9]);
    expect(await saved('OPEN', 12)).toEqual(['OPEN', 12]);
  });

  const offsets = async () =>
    (await listWorkers(api.db)).filter(({ id }) => id === 'w').map(({ clockOffMs }) => clockOffMs);

  test('a worker whose clock is wrong says so, learns the time, and takes no share of its address', async () => {
    const worker = { egress: 'e', version: '1', network: 'local', isStopping: false };
    const figures = { claimed: 0, published: 0, lastMinute: { published: 0, latenessMs: null } };
    const beats = (id: string, clockOffMs: number | null) =>
      beat(api.db, { id, ...worker, ...figures, clockOffMs });
    expect((await beats('w', 10_000)).nowMs).toBeGreaterThan(0);
    expect(await offsets()).toEqual([10_000]);
    expect((await beats('other', null)).sharing).toBe(1);
    await beats('w', null);
    expect(await offsets()).toEqual([null]);
    expect((await beats('other', null)).sharing).toBe(2);
  });
});

/** Readings as [database, asked, received]. */
const offsetAfter = (...readings: [number, number, number][]) => {
  vi.spyOn(performance, 'now').mockReturnValue(100_000);
  const clock = createClock(pino({ level: 'silent' }));
  for (const reading of readings) clock.learn(...reading);
  const offset = Math.round(clock.now() - ownTime());
  vi.restoreAllMocks();
  return offset;
};

test('the clock is never ahead of the database, however long the reading took', () => {
  // The true offset is 0; the database was read at the very end of the round trip, or at its start.
  expect(offsetAfter([3_000, 0, 3_000])).toBe(0);
  expect(offsetAfter([0, 0, 3_000])).toBe(-3_000);
});

test('a slow reading does not spoil a good one', () => {
  expect(offsetAfter([1_000, 999, 1_002], [5_000, 5_000, 8_000])).toBe(-2);
});

test('a clock that was set is followed at once', () => {
  expect(offsetAfter([1_000, 999, 1_002], [6_000, 16_000, 16_003])).toBe(-10_003);
});

test('the clock goes on evenly when that of the machine is set', () => {
  const clock = createClock(pino({ level: 'silent' }));
  const before = clock.now();
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  expect([clock.now() - before < 60_000, clock.offMs()]).toEqual([true, expect.any(Number)]);
  vi.restoreAllMocks();
  expect(clock.offMs()).toBeNull();
});

test.each([
  [10_000, '10 s behind'],
  [-10_000, '10 s ahead of'],
])('a clock that is off by %s ms is an error once, and says what to do', (offsetMs, words) => {
  const lines: string[] = [];
  const clock = createClock(pino({ level: 'info' }, { write: (line) => lines.push(line) }));
  const read = (ms: number) => clock.learn(Date.now() + ms, ownTime(), ownTime());
  for (const ms of [0, offsetMs, offsetMs]) read(ms);
  expect(clock.offMs()).toBeCloseTo(offsetMs, -2);
  read(0);
  expect(clock.offMs()).toBeNull();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 50,
      msg: `The clock of this machine is ${words} that of the database: this engine publishes nothing until it is set`,
    },
  ]);
});

// The process is paused for half a second after each look at the clock.
let pausedAt = performance.now();

test('a moment that passes while it is waited for asks for no negative time', async () => {
  vi.spyOn(performance, 'now').mockImplementation(() => (pausedAt += 500));
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const clock = createClock(pino({ level: 'silent' }));
  await clock.until(clock.now() + 600, new AbortController().signal);
  const waits = timers.mock.calls.map(([, ms]) => ms ?? 0);
  vi.restoreAllMocks();
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(0);
});
