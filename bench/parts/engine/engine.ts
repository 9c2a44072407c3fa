import { runMigrations } from 'graphile-worker';
import type { Closers } from '../../../server/src/closers.ts';
import type { EngineSizes } from '../../arguments.ts';
import { createFilled } from '../../stand/databases.ts';
import type { Cluster } from '../../stand/databases.ts';
import type { Row } from '../../report/row.ts';
import { openBenchDatabase } from './bench-database.ts';
import { claimCosts, holdPosts } from './claims.ts';
import { prepareAccounts } from './due-posts.ts';
import { idle } from './idle.ts';
import { burstRows, claimRows, quietRows } from './rows.ts';
import { runArm } from './run-arm.ts';
import { HOSTS, startSink } from './sink.ts';

const QUIET_PER_SECOND = 100;
const ARMS = ['loop', 'graphile', 'engine'] as const;

/** Two copies of one database: one to publish from, one whose posts are held. */
export type EngineDatabases = { published: string; held: string };

/** Posts that all become due at once, a quiet minute, nothing to do, and what a claim costs. */
export async function engine(
  cluster: Cluster,
  { published, held }: EngineDatabases,
  sizes: EngineSizes,
  closers: Closers,
): Promise<Row[]> {
  const small = await createFilled(cluster, 'bench_claims', sizes.small, Date.now());
  await holdPosts(held, sizes.held);
  const costs = await claimCosts({ small: small.address, large: published, held }, sizes.claims);

  const sink = await startSink(HOSTS, closers);
  const database = await openBenchDatabase(published, closers);
  await prepareAccounts(database.client, sink.hosts);
  await runMigrations({ connectionString: published });
  const stand = { database, sink, closers };
  const bursts = [];
  for (const arm of ARMS) {
    bursts.push(await runArm({ arm, run: `burst-${arm}`, posts: sizes.due, stepMs: 0 }, stand));
  }
  const stepMs = 1000 / QUIET_PER_SECOND;
  const posts = sizes.quietSeconds * QUIET_PER_SECOND;
  const quiet = await runArm({ arm: 'engine', run: 'quiet', posts, stepMs }, stand);
  return [
    ...burstRows(bursts),
    ...quietRows(quiet),
    ...claimRows(costs, sizes),
    ...(await idle(stand, sizes.idleSeconds)),
  ];
}
