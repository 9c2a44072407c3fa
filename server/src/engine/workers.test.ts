import { expect, test } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { sql } from '../db/sql.ts';
import type { HostState } from './lane.ts';
import { beat, saveHosts } from './workers.store.ts';

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

const seen = () =>
  api.db.many<{ at: string }>(sql`select seen_at as at from engine_workers where id = 'w'`);

test('a worker whose clock is wrong is not seen, but learns the time', async () => {
  const worker = { id: 'w', egress: 'e', version: '1', network: 'local', isStopping: false };
  const figures = { claimed: 0, published: 0, lastMinute: { published: 0, latenessMs: null } };
  const beats = (canPublish: boolean) => beat(api.db, { ...worker, ...figures, canPublish });
  expect((await beats(false)).nowMs).toBeGreaterThan(0);
  expect(await seen()).toEqual([]);
  await beats(true);
  const last = await seen();
  expect(last).toHaveLength(1);
  await beats(false);
  expect(await seen()).toEqual(last);
});
