import { withClient } from '../../server/src/cli/tool-client.ts';
import { applyDeltas } from '../../server/src/counters/counters.store.ts';
import { databaseOn } from '../../server/src/db/database.ts';
import { migrate } from '../../server/src/db/migrate.ts';
import { createDatabase } from './databases.ts';
import type { Cluster, Filled } from './databases.ts';

export const IMPORTED_PEOPLE = 100_000;

/** In plain SQL, as another program would: random ids, fifteen months, nothing in order. */
export async function createImported(
  { address }: Cluster,
  name: string,
  posts: number,
): Promise<Filled> {
  const connectionString = await createDatabase(address, name);
  await migrate({ connectionString });
  const startedAt = performance.now();
  await withClient({ connectionString }, async (client) => {
    await client.query(PEOPLE, [IMPORTED_PEOPLE]);
    await client.query(POSTS, [posts]);
    while ((await applyDeltas(databaseOn(client))) > 0);
    await client.query('vacuum (analyze) users, posts, user_post_counters, counter_deltas');
  });
  const seconds = (performance.now() - startedAt) / 1000;
  return { address: connectionString, posts, users: IMPORTED_PEOPLE, seconds };
}

const PEOPLE = `
  insert into users (id, did, handle, created_at)
  select gen_random_uuid(), 'did:plc:' || substr(md5(n::text), 1, 24),
         substr(md5('handle' || n), 1, 9)
           || case when n % 100 = 0 then '-garden' when n % 1000 = 1 then '-small' else '' end
           || case when n % 3 = 0 then '.example.com' else '.bsky.social' end,
         now() - interval '450 days' * random()
  from generate_series(1, $1::int) as n`;

const POSTS = `
  with people as (select array_agg(id) as ids from users)
  insert into posts (id, user_id, content, status, scheduled_at, created_at)
  select gen_random_uuid(), ids[1 + floor(random() * cardinality(ids))::int], 'A post about ' || n,
         case when chance < 0.85 then 'COMPLETED' when chance < 0.9 then 'FAILED'
              when chance < 0.95 then 'CANCELLED' when chance < 0.9999 then 'PENDING'
              else 'PROCESSING' end,
         now() - interval '450 days' * random() + interval '15 days',
         now() - interval '450 days' * random()
  from (select n, random() as chance from generate_series(1, $1::int) as n) as numbers, people`;
