import { rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { withClient } from '../server/src/cli/cli.ts';
import type { Closers } from '../server/src/background-task.ts';
import { applyDeltas } from '../server/src/counters/counters.ts';
import { databaseOn } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { columnTypes } from '../server/src/db/columns.ts';
import { load } from '../server/src/seed/load.ts';
import { makeScratchFolder } from '../server/test/cluster/scratch-folder.ts';
import { startTcpServer } from '../server/test/cluster/tcp-server.ts';

/** The same users in every database: only the number of posts differs. */
export const USERS = 20_000;
export const FEW = 10_000;
/** Posts of the larger databases, time of a comparison, posts of a burst, and time of a steady load. */
export type Sizes = Record<'some' | 'many' | 'budgetMs' | 'burst' | 'seconds', number>;
/** The sizes of a run, and the address of its database of so many posts. */
export type Bench = { sizes: Sizes; filled: (posts: number) => Promise<string> };

/**
 * Starts a PostgreSQL and returns its address. Its settings are as they come, but for autovacuum, which
 * would start in the middle of some measurement and not of another, and for its memory: with the 128 MB
 * that come, a large database measures the reading of files. The manual advises a quarter.
 */
export async function startCluster(closers: Closers): Promise<string> {
  const scratch = await makeScratchFolder();
  closers.add(() => rm(scratch, { recursive: true, force: true }));
  const server = await startTcpServer(join(scratch, 'postgres'), {
    autovacuum: 'off',
    shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`,
  });
  closers.add(() => server.stop());
  return server.connectionString;
}

/** Makes a database of so many posts with the code behind `npm run seed`, and returns its address. */
export async function createFilled(cluster: string, name: string, posts: number): Promise<string> {
  const connectionString = await createDatabase(cluster, name);
  await migrate({ connectionString });
  const order = { users: USERS, posts, days: 365, seed: 'bench', now: Date.now() };
  await withClient({ connectionString }, async (client) => {
    await load(client, order, { step() {}, advance() {}, finish() {} });
    // Seeded posts are done or still to come; a list of those under way needs some.
    await client.query(`
      update posts set status = 'PROCESSING' where id in (
        select id from posts where status = 'PENDING' order by scheduled_at limit 40)`);
    await applyDeltas(databaseOn(client));
    await client.query('vacuum (analyze) users, posts, user_post_counters, counter_deltas');
  });
  await writeOut(connectionString);
  return connectionString;
}

/** Returns the address of a database of so many posts, which is filled when it is first asked for. */
export function fillOnce(cluster: string): Bench['filled'] {
  const databases = new Map<number, Promise<string>>();
  return (posts) => {
    const known = databases.get(posts) ?? createFilled(cluster, `bench_${posts}`, posts);
    databases.set(posts, known);
    return known;
  };
}

export async function createDatabase(cluster: string, name: string, options = ''): Promise<string> {
  await withClient({ connectionString: cluster }, (client) =>
    client.query(`create database ${name} ${options}`),
  );
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}

/** Before PostgreSQL 15 only a superuser may order a checkpoint, so none is made there. */
const CHECKPOINT =
  'do $$ begin checkpoint; exception when insufficient_privilege then null; end $$';

/** Lets what waits to be written go to disk now, and not while something is measured. */
export async function writeOut(connectionString: string): Promise<void> {
  await withClient({ connectionString }, (client) => client.query(CHECKPOINT));
}

/** A connection that stays open for a whole part. */
export type Connection = {
  client: Client;
  /** The process of PostgreSQL that serves it. */
  pid: number;
  /** The first row of a query. */
  first: <Row extends object>(text: string, values?: unknown[]) => Promise<Row>;
};

export async function connect(connectionString: string, closers: Closers): Promise<Connection> {
  const client = new Client({ connectionString, types: columnTypes });
  // An interrupted run stops PostgreSQL under it; the statement that waits fails then.
  client.on('error', () => {});
  await client.connect();
  closers.add(() => client.end());
  const first = async <Row extends object>(text: string, values: unknown[] = []) => {
    const { rows } = await client.query<Row>(text, values);
    if (rows[0] === undefined) throw new Error(`Nothing found: ${text}`);
    return rows[0];
  };
  const { pid } = await first<{ pid: number }>('select pg_backend_pid() as pid');
  return { client, pid, first };
}
