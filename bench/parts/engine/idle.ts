import { setTimeout as delay } from 'node:timers/promises';
import type { Closers } from '../../../server/src/closers.ts';
import type { Row } from '../../report/row.ts';
import type { BenchDatabase } from './bench-database.ts';
import { plain } from './rows.ts';
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
  // The query that reads their number is one of them, but once in the whole time.
  const each = (key: keyof typeof before) => (after[key] - before[key]) / seconds / WORKERS;
  const section = 'Engine with nothing to do';
  return [
    plain(section, 'CPU of a process', each('cpuMs') / 10, '% of a core', 'idleCpu'),
    plain(section, 'queries of a process', each('queries'), '/s', 'idleQueries'),
    plain(section, 'CPU of PostgreSQL for a process', each('postgresMs') / 10, '% of a core'),
  ];

  async function usage() {
    return {
      cpuMs: await workers.cpuMs(),
      postgresMs: await database.cpuMs(),
      queries: await database.transactions(),
    };
  }
}
