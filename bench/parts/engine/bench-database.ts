import { Client } from 'pg';
import type { Closers } from '../../../server/src/closers.ts';
import { cpuOfFamily, parentOf } from '../../measure/cpu-time.ts';

/** A database under measurement, and what the PostgreSQL around it has used. */
export type BenchDatabase = {
  connectionString: string;
  client: Client;
  /** CPU milliseconds of all processes of this PostgreSQL so far. */
  cpuMs(): Promise<number>;
  /** Transactions of this database so far; a statement outside of one counts as one. */
  transactions(): Promise<number>;
};

export async function openBenchDatabase(
  connectionString: string,
  closers: Closers,
): Promise<BenchDatabase> {
  const client = new Client({ connectionString });
  // An interrupted run stops PostgreSQL under it.
  client.on('error', () => {});
  await client.connect();
  closers.add(() => client.end());
  const first = async <Value>(text: string) => {
    const { rows } = await client.query<{ value: Value }>(text);
    if (rows[0] === undefined) throw new Error(`Nothing found: ${text}`);
    return rows[0].value;
  };
  const postmaster = await parentOf(await first<number>('select pg_backend_pid() as value'));
  return {
    connectionString,
    client,
    cpuMs: () => cpuOfFamily(postmaster),
    transactions: () =>
      first<number>(
        `select (xact_commit + xact_rollback)::float8 as value from pg_stat_database
         where datname = current_database()`,
      ),
  };
}
