import { setTimeout as delay } from 'node:timers/promises';
import type { Closers } from '../../../server/src/closers.ts';
import type { Row } from '../../report/row.ts';
import type { BenchDatabase } from './bench-database.ts';
import type { Sink } from './sink.ts';
import { startWorkers, WORKERS } from './workers.ts';

/** After the start is over. */
const SETTLE_MS = 5_000;

/** What an engine costs while nothing is due. The counters are not the engine's. */
export async function idle(
  { database, sink, closers }: { database: BenchDatabase; sink: Sink; closers: Closers },
  seconds: number,
): Promise<Row[]> {
  const { connectionString } = database;
  const workers = await startWorkers(
    {
      arm: 'engine',
      run: 'idle',
      posts: 0,
      connectionString,
      hosts: sink.hosts,
      hasCounters: false,
    },
    closers,
  );
  await delay(SETTLE_MS);
  const before = await usage();
  await delay(seconds * 1000);
  const after = await usage();
  await workers.stop();
  const each = (key: keyof typeof before) => (after[key] - before[key]) / seconds / WORKERS;
  const section = 'Engine with nothing to do';
  return [
    {
      section,
      name: 'CPU of a process',
      ours: { value: each('cpuMs') / 10, unit: '% of a core' },
      against: null,
      measured: each('cpuMs') / 10,
      mark: 'idleCpu',
    },
    {
      section,
      name: 'queries of a process',
      // One of ours at either end.
      ours: { value: each('queries'), unit: '/s' },
      against: null,
      measured: each('queries'),
      mark: 'idleQueries',
    },
    {
      section,
      name: 'CPU of PostgreSQL for a process',
      ours: { value: each('postgresMs') / 10, unit: '% of a core' },
      against: null,
      mark: null,
    },
  ];

  async function usage() {
    return {
      cpuMs: await workers.cpuMs(),
      postgresMs: await database.cpuMs(),
      queries: await database.transactions(),
    };
  }
}
