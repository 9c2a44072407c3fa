import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';
import { sql } from '../db/sql.ts';
import type { HostState } from './lane.ts';
import { saveHosts } from './workers.store.ts';

let api: TestApp;
beforeAll(async () => {
  api = await startTestApp('server');
});
afterAll(() => api.close());

const at = (minute: number) => Date.UTC(2026, 10, 16, 10, minute);

test('a host is in its state since the first worker saw it, not since each of them did', async () => {
  const host = 'https://pds.test';
  /** What a worker tells, and how long the host has been so. */
  const saved = async (state: HostState, since: number) => {
    await saveHosts(api.db, [{ host, state, since: at(since), retryAt: null, lastOkAt: null }]);
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
