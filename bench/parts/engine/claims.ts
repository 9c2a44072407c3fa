import { Client } from 'pg';
import { databaseOn } from '../../../server/src/db/database.ts';
import { CLAIM_BATCH, claimPosts } from '../../../server/src/engine/claim.store.ts';
import { PLAN_BY_INDEX } from '../../../server/src/engine/plan-by-index.ts';
import { SESSION_SETTINGS, settingStatements } from '../../../server/src/db/session.ts';
import { columnTypes } from '../../../server/src/db/types.ts';
import { withClient } from '../../../server/src/cli/tool-client.ts';
import { threadCpuOf } from '../../measure/cpu-time.ts';
import { summarise } from '../../measure/percentiles.ts';
import type { Summary } from '../../measure/percentiles.ts';
import { settle } from '../../stand/databases.ts';
import { insertDuePosts, prepareAccounts } from './due-posts.ts';

const OPTIONS = {
  lookaheadMs: 600_000,
  leaseMs: 3_600_000,
  lateLimitMs: 3_600_000,
  defaultHost: null,
};
/** Plans settle and caches fill. */
const WARM_UP = 5;

/**
 * PostgreSQL's CPU for one claim of a full batch, on each database in turn: waiting for a busy
 * machine does not count.
 */
export async function claimCosts<Name extends string>(
  databases: Record<Name, string>,
  claims: number,
): Promise<Record<Name, Summary>> {
  // Object.entries forgets the type of the names.
  const names = Object.keys(databases) as Name[];
  const samples = new Map<Name, number[]>();
  for (const name of names) await prepare(databases[name]);
  const backends = await Promise.all(
    names.map(async (name) => ({ name, ...(await openBackend(databases[name], claims)) })),
  );
  for (const name of names) await settle(databases[name]);
  for (let round = -WARM_UP; round < claims; round += 1) {
    for (const { name, client, pid } of backends) {
      const before = await threadCpuOf(pid);
      const { posts } = await claimPosts(databaseOn(client), OPTIONS);
      if (posts.length !== CLAIM_BATCH) throw new Error(`A claim found ${posts.length} posts`);
      const taken = (await threadCpuOf(pid)) - before;
      if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), taken]);
    }
  }
  await Promise.all(backends.map(({ client }) => client.end()));
  const entries = names.map((name) => [name, summarise(samples.get(name) ?? [])]);
  // One entry per name, made in the line above.
  return Object.fromEntries(entries) as Record<Name, Summary>;
}

/**
 * Cancelling what is open leaves a hole for each such post, a hundred times as many in a large database:
 * due posts would lie in them one by one there, and side by side in a small one.
 */
async function prepare(connectionString: string): Promise<void> {
  await withClient({ connectionString }, async (client) => {
    await prepareAccounts(client, ['http://127.0.0.1:9']);
    await client.query('vacuum (full, analyze) posts');
  });
}

async function openBackend(connectionString: string, claims: number) {
  await withClient({ connectionString }, async (setUp) => {
    const posts = (claims + WARM_UP) * CLAIM_BATCH;
    await insertDuePosts(setUp, { run: 'claims', posts, stepMs: 1, hasJobs: false });
    await setUp.query('vacuum (analyze) posts');
  });
  const client = new Client({ connectionString, types: columnTypes });
  // An interrupted run stops PostgreSQL under it.
  client.on('error', () => {});
  await client.connect();
  await client.query(settingStatements({ ...SESSION_SETTINGS, ...PLAN_BY_INDEX }));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { client, pid: rows[0]?.pid ?? 0 };
}

/** Holds so many posts of the past, as those of suspended users are. */
export async function holdPosts(connectionString: string, posts: number): Promise<void> {
  await withClient({ connectionString }, async (client) => {
    await client.query('alter table posts disable trigger user');
    await client.query(
      `update posts set status = 'PENDING', hold = 'user_off', claim_at = 'infinity'
       where ctid = any(array(select ctid from posts where claim_at is null limit $1))`,
      [posts],
    );
    await client.query('alter table posts enable trigger user');
  });
}
