import type { Closers } from '../server/src/background-task.ts';
import { connect } from './databases.ts';
import type { Bench, Connection } from './databases.ts';
import { ratio } from './marks.ts';
import type { Reading } from './marks.ts';
import { summarise, threadCpuOf } from './measure.ts';

/** The engine settles up to 200 posts in one statement. */
const BATCHES = [1, 200];
/** Plans are made anew after the trigger is switched, and settle after five runs. */
const WARM_UP = 6;
const PER_ROUND = 10;
const FEWEST_ROUNDS = 20;

/** A bare change of status: the rest that the product does is no cost of the counters. */
const UPDATE = `
  update posts set updated_at = now(),
    status = case status when 'PENDING' then 'PROCESSING' else 'PENDING' end
  where id = any($1::uuid[]) and status in ('PENDING', 'PROCESSING')`;

/**
 * The same UPDATE with the trigger of the counters and without, in turns. In time, and in CPU of
 * PostgreSQL, which does not hide the work behind the wait for the disk.
 */
export async function status({ sizes, filled }: Bench, closers: Closers): Promise<Reading[]> {
  const connection = await connect(await filled(sizes.some), closers);
  const readings: Reading[] = [];
  for (const batch of BATCHES) {
    const [ours, bare] = await withAndWithout(connection, batch, sizes.budgetMs);
    const name = batch === 1 ? 'one post' : `${batch} posts at once`;
    readings.push(ratio('status', name, summarise(ours.times), summarise(bare.times)));
    readings.push(ratio('status', `${name}, CPU`, summarise(ours.cpu), summarise(bare.cpu)));
  }
  return readings;
}

const OPEN = `
  select id from posts where status in ('PENDING', 'PROCESSING') order by id limit 2000`;

async function withAndWithout({ client, pid }: Connection, batch: number, budgetMs: number) {
  const { rows } = await client.query<{ id: string }>(OPEN);
  const side = (trigger: 'enable' | 'disable', half: number) => {
    const posts = rows.map(({ id }) => id).filter((_, index) => index % 2 === half);
    return { trigger, posts, times: [] as number[], cpu: [] as number[] };
  };
  const [ours, bare] = [side('enable', 0), side('disable', 1)];
  if (bare.posts.length < batch) throw new Error('The seeded data lacks posts to change');
  const endAt = performance.now() + budgetMs;
  for (let round = 0; round < FEWEST_ROUNDS || performance.now() < endAt; round += 1) {
    for (const { trigger, posts, times, cpu } of round % 2 === 0 ? [ours, bare] : [bare, ours]) {
      await client.query(`alter table posts ${trigger} trigger posts_count_update`);
      for (let run = -WARM_UP; run < PER_ROUND; run += 1) {
        const ids = posts.splice(0, batch);
        // To and fro for ever: each post waits for its next turn at the end.
        posts.push(...ids);
        const cpuBefore = await threadCpuOf(pid);
        const runAt = performance.now();
        await client.query({ name: 'change status', text: UPDATE, values: [ids] });
        const taken = performance.now() - runAt;
        const used = (await threadCpuOf(pid)) - cpuBefore;
        if (run >= 0) times.push(taken);
        if (run >= 0) cpu.push(used);
      }
    }
  }
  await client.query('alter table posts enable trigger posts_count_update');
  return [ours, bare] as const;
}
