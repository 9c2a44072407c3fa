import { POST_STATUSES } from '@meridian/contract/posts';
import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';

/**
 * So many posts of these authors in one statement, over about a hundred days. Every third shares its
 * times with another, so that ids have to break ties; ids are of no order in time.
 */
export async function insertManyPosts(db: Db, authors: string[], count: number): Promise<void> {
  await db.execute(sql`
    insert into posts (id, user_id, content, status, scheduled_at, created_at, updated_at)
    select md5(number::text || 'post')::uuid,
           (${authors}::uuid[])[1 + number % ${authors.length}::int],
           'post ' || number,
           (${POST_STATUSES}::text[])[1 + (number * number) % ${POST_STATUSES.length}::int],
           timestamptz '2026-03-01Z' + interval '7 minutes' * ((number * 7919) % ${count}::int / 3),
           timestamptz '2026-01-01Z' + interval '11 minutes' * ((number * 104729) % ${count}::int / 3),
           timestamptz '2026-01-01Z'
    from generate_series(1, ${count}::int) as number`);
}
