import type { Closers } from '../server/src/closers.ts';
import type { Part, Plan } from './arguments.ts';
import { HttpConnection } from './measure/http-connection.ts';
import { readTicks, stolenSince } from './measure/steal.ts';
import { responseTimes, countText } from './parts/response-times.ts';
import { inBrowser } from './parts/browser.ts';
import { bulk } from './parts/bulk.ts';
import { exports } from './parts/exports.ts';
import { imported } from './parts/imported.ts';
import { CALLS } from './parts/calls.ts';
import { depth } from './parts/depth.ts';
import { desk } from './parts/desk.ts';
import { engine } from './parts/engine/engine.ts';
import { people } from './parts/people.ts';
import { memory, seeding, startUp } from './parts/resources.ts';
import { streams } from './parts/streams.ts';
import { statements } from './parts/statements.ts';
import { barePath, bareRoutes, throughput, warmUp } from './parts/throughput.ts';
import { changeOverHttp, counterOverhead } from './parts/writes.ts';
import type { Row } from './report/row.ts';
import { startBareServer } from './stand/bare-server.ts';
import { copyOf, createFilled, startCluster, USERS } from './stand/databases.ts';
import { openInstallation } from './stand/stand.ts';

export type Measured = { rows: Row[]; postgresql: string; chromium: string; data: string };

/** From nothing to every row of the table. What it opens is closed by `closers`. */
export async function measure(
  plan: Plan,
  closers: Closers,
  say: (text: string) => void,
): Promise<Measured> {
  const cluster = await startCluster(closers);
  say(`PostgreSQL ${cluster.version} is running.`);
  const now = Date.now();
  const databases = {
    small: await createFilled(cluster, 'bench_small', plan.small, now),
    large: await createFilled(cluster, 'bench_large', plan.large, now),
  };
  say(`${countText(plan.large)} posts are in place (${databases.large.seconds.toFixed(1)} s).`);
  const rows: Row[] = [];
  const part = async (name: Part, work: () => Promise<Row[]>) => {
    if (!plan.parts.includes(name)) return;
    const [startedAt, ticks] = [performance.now(), await readTicks()];
    rows.push(...(await work()));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const stolen = await stolenSince(ticks);
    const note = stolen === null ? '' : `; the host took ${(stolen * 100).toFixed(1)} % of the CPU`;
    say(`Measured ${name} (${seconds} s${note}).`);
  };
  // Before anybody is connected to the original.
  if (plan.parts.includes('writes')) {
    const scratch = await copyOf(cluster, databases.large, 'bench_scratch');
    await part('writes', () => counterOverhead(scratch, plan.pace));
  }

  if (plan.parts.includes('engine')) {
    const published = await copyOf(cluster, databases.large, 'bench_engine');
    const held = await copyOf(cluster, databases.large, 'bench_held');
    await part('engine', () => engine(cluster, { published, held }, plan.engine, closers));
  }

  const small = await openInstallation(cluster, databases.small, closers);
  const large = await openInstallation(cluster, databases.large, closers);
  const installations = { large, small };
  const resources = [
    ...seeding(Object.values(databases)),
    ...(await memory(large.server, 'after start')),
  ];
  const bare = await startBareServer(large.database.address, await bareRoutes(large), closers);
  resources.push(startUp(small.server.startMs, bare.startMs));
  await warmUp([large, small], bare.url, plan.warmUp);
  await part('times', async () => {
    const connection = new HttpConnection(bare.url);
    const found = await statements(large, plan.pace);
    for (const call of CALLS) {
      const bytes = connection.bytesOf({ path: barePath(call) });
      const bareRoute = () => connection.send(bytes);
      found.push(...(await responseTimes(call, { ...installations, bareRoute }, plan.pace)));
    }
    connection.close();
    return found;
  });
  // Before posts of the large database alone are changed: some of them would be overdue.
  await part('desk', () => desk(installations, plan.pace));
  await part('depth', () => depth(installations, plan.pace));
  await part('people', () => people(installations, plan.pace));
  await part('imported', () => imported(cluster, plan, closers));
  await part('writes', () => changeOverHttp(large, plan.pace));
  await part('throughput', () => throughput(large, bare.url, plan.load));
  resources.push(...(await memory(large.server, 'after load')));
  await part('exports', () => exports(large));
  await part('bulk', () => bulk(large, plan.bulk, closers));
  await part('streams', () => streams(large, plan.streamSeconds));
  let chromium = 'not used';
  await part('browser', async () => {
    const found = await inBrowser(large, plan.clicks);
    chromium = found.version;
    return found.rows;
  });
  return {
    rows: bySection([...rows, ...resources]),
    postgresql: cluster.version,
    chromium,
    data: `${countText(plan.large)} posts in the large database, ${countText(plan.small)} in the small one, ${countText(USERS)} users in both.`,
  };
}

/** Rows of a section together, sections in the order of their first row. */
function bySection(rows: readonly Row[]): Row[] {
  return [...Map.groupBy(rows, ({ section }) => section).values()].flat();
}
