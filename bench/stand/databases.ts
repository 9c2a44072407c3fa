import { totalmem } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { withClient } from '../../server/src/cli/tool-client.ts';
import type { Closers } from '../../server/src/closers.ts';
import { applyDeltas } from '../../server/src/counters/counters.store.ts';
import { databaseOn } from '../../server/src/db/database.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { load } from '../../server/src/seed/load.ts';
import { makeScratchFolder } from '../../server/test/cluster/scratch-folder.ts';
import { startTcpServer } from '../../server/test/cluster/tcp-server.ts';

export type Cluster = { address: string; version: string; scratch: string };
export type Filled = { address: string; posts: number; users: number; seconds: number };

/** The same people in every database: only the number of posts differs. */
export const USERS = 20_000;
const DAYS = 365;
const SEED = 'bench';

/** As the manual advises: with the 128 MB that come, a large database measures the reading of files. */
const SHARED_BUFFERS = `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`;

/**
 * A PostgreSQL of this run's own with its settings as they come, but for its memory, and for autovacuum,
 * which would start in the middle of some measurement and not of another.
 */
export async function startCluster(closers: Closers): Promise<Cluster> {
  const scratch = await makeScratchFolder();
  closers.add(() => rm(scratch, { recursive: true, force: true }));
  const server = await startTcpServer(join(scratch, 'postgres'), {
    autovacuum: 'off',
    shared_buffers: SHARED_BUFFERS,
  });
  closers.add(() => server.stop());
  const version = await withClient(
    { connectionString: server.connectionString },
    async (client) => {
      const { rows } = await client.query<{ server_version: string }>('show server_version');
      return rows[0]?.server_version.split(' ')[0] ?? 'unknown';
    },
  );
  return { address: server.connectionString, version, scratch };
}

/** Through the code behind `npm run seed`. */
export async function createFilled(
  { address }: Cluster,
  name: string,
  posts: number,
  now: number,
): Promise<Filled> {
  const connectionString = await createDatabase(address, name);
  await migrate({ connectionString });
  const startedAt = performance.now();
  await withClient({ connectionString }, (client) =>
    load(client, { users: USERS, posts, days: DAYS, seed: SEED, now }, SILENT),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await putUnderWay(connectionString);
  await settle(connectionString);
  return { address: connectionString, posts, users: USERS, seconds };
}

/** Seeded posts are done or still to come; a list of those under way needs some. */
async function putUnderWay(connectionString: string): Promise<void> {
  await withClient({ connectionString }, async (client) => {
    await client.query(`
      update posts set status = 'PROCESSING' where id in (
        select id from posts where status = 'PENDING' order by scheduled_at limit 40)`);
    await applyDeltas(databaseOn(client));
    await client.query('vacuum (analyze) users, posts, user_post_counters, counter_deltas');
  });
}

/** A copy to spoil. The original must have no connection meanwhile. */
export async function copyOf(
  { address }: Pick<Cluster, 'address'>,
  original: Pick<Filled, 'address'>,
  name: string,
): Promise<string> {
  const template = new URL(original.address).pathname.slice(1);
  const copy = await createDatabase(address, name, `template ${template} strategy file_copy`);
  await settle(copy);
  return copy;
}

/** What filling left to be written, in any database, goes to disk now and not while it is measured. */
export async function settle(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  // Only a superuser may ask for a checkpoint on older versions.
  await client.query('checkpoint').catch(() => {});
  await client.end();
}

export async function createDatabase(address: string, name: string, options = ''): Promise<string> {
  await withClient({ connectionString: address }, (client) =>
    client.query(`create database ${name} ${options}`),
  );
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

const SILENT = { step() {}, advance() {}, finish() {} };
