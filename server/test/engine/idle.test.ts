import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { judge } from '../figures.ts';
import { given, openStage } from './stage.ts';

/** The long run watches longer. */
const SECONDS = Number(process.env['IDLE_SECONDS'] ?? 5);

test('an idle engine makes at most one query a second', async () => {
  const stage = await openStage('server');
  onTestFinished(() => stage.close());
  await stage.startEngine(createLocalNetwork(stage.db));
  // From another database, so that reading the statistics is not counted.
  const url = new URL(stage.connectionString);
  const database = url.pathname.slice(1);
  url.pathname = '/postgres';
  const watcher = new Client({ connectionString: url.href });
  await watcher.connect();
  stage.closeAtEnd(() => watcher.end());
  const read = async () => {
    const { rows } = await watcher.query<{ commits: number; at: number }>(
      `select (xact_commit + xact_rollback)::integer as commits,
         extract(epoch from clock_timestamp())::float8 as at
       from pg_stat_database where datname = $1`,
      [database],
    );
    return given(rows[0]);
  };
  // A session reports its statistics at the end of a statement, at most once a second: what its
  // start and the preparation of this test did is counted by then.
  const first = await read();
  let [before, after] = [first, first];
  await expect
    .poll(
      async () => {
        after = await read();
        if (after.at < first.at + 2) before = after;
        return after.at - before.at;
      },
      { interval: 200 },
    )
    .toBeGreaterThan(SECONDS);
  const perSecond = (after.commits - before.commits) / (after.at - before.at);
  judge({
    goal: 'An idle engine: at most one query a second',
    measured: perSecond.toFixed(2),
    isMet: perSecond <= 1,
  });
  expect(after.commits).toBeGreaterThan(before.commits);
  // One more or less falls into the interval.
  expect(after.commits - before.commits).toBeLessThanOrEqual(Math.ceil(after.at - before.at) + 1);
});
