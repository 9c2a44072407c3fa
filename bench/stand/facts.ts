import { sql } from '../../server/src/db/sql.ts';
import { USERS } from './databases.ts';
import type { SqlConnection } from './sql-connection.ts';

/** What there is to ask for in a database. */
export type Facts = {
  postId: string;
  /** Has more posts than a page, where there is such a user. */
  userId: string;
  middle: number;
  person: string;
  typical: string;
  broad: string;
};

/** A typical search finds about one in a hundred. */
const TYPICAL = USERS / 100;

export async function findFacts(connection: SqlConnection, posts: number): Promise<Facts> {
  const [post] = await connection.run<{ id: string }>(sql`
    select id from posts order by embed is null, created_at desc limit 1`);
  const [author] = await connection.run<{ id: string; handle: string }>(sql`
    select u.id, u.handle from users u join user_post_counters c on c.user_id = u.id
    order by abs(c.completed - 40), u.id limit 1`);
  const [part] = await connection.run<{ part: string }>(sql`
    select part from (select distinct substr(handle, 1, 4) as part from users limit 300) as parts
    order by abs((select count(*) from users where search_text like '%' || part || '%')
                 - ${TYPICAL}::int), part
    limit 1`);
  if (post === undefined || author === undefined || part === undefined) {
    throw new Error('The seeded data lacks what is to be asked for');
  }
  return {
    postId: post.id,
    userId: author.id,
    middle: posts / 2,
    person: author.handle,
    typical: part.part,
    broad: 'posts.example',
  };
}
