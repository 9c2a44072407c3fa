import { Client } from 'pg';
import type { Db } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';

/**
 * Statements of connections opened from here on read the time that `pass` sets, so that a machine of
 * any speed sees the same waits. Defaults of columns and triggers keep the real one.
 */
export async function stopClock(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(`
      create schema stopped_clock;
      create table stopped_clock.instant as select pg_catalog.now() as at;
      create function stopped_clock.now() returns timestamptz stable language sql
        return (select at from stopped_clock.instant);
      create function stopped_clock.clock_timestamp() returns timestamptz stable language sql
        return (select at from stopped_clock.instant);
      do $$ begin execute format(
        'alter database %I set search_path = stopped_clock, pg_catalog, public',
        current_database()); end $$`);
  } finally {
    await client.end();
  }
}

/** Moves a stopped clock. */
export async function pass(db: Db, seconds: number): Promise<void> {
  await db.execute(
    sql`update stopped_clock.instant set at = at + make_interval(secs => ${seconds})`,
  );
}
