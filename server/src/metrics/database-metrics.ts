import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { COUNTED_MOST, readBacklog } from './backlog.store.ts';
import { single } from './exposition.ts';
import type { Family } from './exposition.ts';

/** The pool as it is, and what waits in the database. One that does not answer is a number too. */
export async function databaseFamilies(db: Database, log: Logger): Promise<Family[]> {
  // Before this asks for a connection itself.
  const pool = poolFamilies(db);
  try {
    const { due, oldestDueSeconds, deltas } = await readBacklog(db);
    return [
      ...pool,
      isUp(1),
      single(
        'gauge',
        'meridian_posts_due',
        `Pending posts whose time has come, counted up to ${COUNTED_MOST}.`,
        due,
      ),
      single(
        'gauge',
        'meridian_posts_due_oldest_seconds',
        'How long the first of them has been due.',
        oldestDueSeconds,
      ),
      single(
        'gauge',
        'meridian_counter_deltas',
        `Changes not yet added up, counted up to ${COUNTED_MOST}.`,
        deltas,
      ),
    ];
  } catch (error) {
    log.warn({ err: error }, 'The database could not be asked for metrics');
    return [...pool, isUp(0)];
  }
}

function isUp(value: 0 | 1): Family {
  return single('gauge', 'meridian_database_up', 'Whether the database answered just now.', value);
}

function poolFamilies(db: Database): Family[] {
  const { open, idle, waiting, most } = db.poolLoad();
  return [
    {
      name: 'meridian_pool_connections',
      kind: 'gauge',
      help: 'Open connections to the database.',
      samples: [
        { labels: { state: 'busy' }, value: open - idle },
        { labels: { state: 'idle' }, value: idle },
      ],
    },
    single('gauge', 'meridian_pool_max', 'Most connections (DATABASE_POOL_SIZE).', most),
    single('gauge', 'meridian_pool_waiting', 'Requests waiting for a connection.', waiting),
  ];
}
