import { expect, test } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { sql } from '../db/sql.ts';
import { listWorkers } from '../features/engine/engine.ts';
import { saveHosts } from './hosts.ts';
import type { HostState } from './hosts.ts';
import { beat } from './heartbeat.ts';

const api = setUpApp('server');

const at = (minute: number) => Date.UTC(2026, 10, 16, 10, minute);

test('a host is in its state since the first worker saw it, not since each of them did', async () => {
  const host = 'https://pds.test';
  /** What a worker tells, and how long the host has been so. */
  const saved = async (state: HostState, since: number) => {
    await saveHosts(api.db, [
      { host, state, cause: null, since: at(since), retryAt: null, lastOkAt: null },
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
