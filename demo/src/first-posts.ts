import type { Composer } from './compose.ts';
import { pending } from './outcome.ts';
import { makePost } from './posts.ts';
import type { Random } from './random.ts';
import { Json } from './rows.ts';
import type { PostRow } from './rows.ts';
import { HOUR, iso, MINUTE } from './times.ts';
import type { DemoUser } from './users.ts';

export const FIRST_POSTS = 90;
const FIRST_AFTER_MS = 8000;
const EVERY_MS = 6600;

type Circumstances = {
  users: readonly DemoUser[];
  composer: Composer;
  earlier: readonly PostRow[];
  now: number;
};

/** Posts of different users, due every few seconds after the first start: the engine is seen at work. */
export function makeFirstPosts(random: Random, circumstances: Circumstances): PostRow[] {
  const { composer, earlier, now } = circumstances;
  const published = earlier.filter(({ status, embed }) => status === 'COMPLETED' && !embed);
  const [parent, quoted] = published.slice(-2).map(({ at_uri: uri }) => uri ?? '');
  const authors = random.shuffled(quietest(circumstances));
  const posts = authors.map((user, index) => {
    const scheduledAt = now + FIRST_AFTER_MS + index * EVERY_MS;
    const writtenAt = now - random.int(1, 30) * HOUR;
    const createdAt = Math.max(user.createdAt + MINUTE, writtenAt);
    const draft = { user, content: composer.compose(random, user), createdAt, scheduledAt };
    return makePost(random, draft, pending(random, draft, now));
  });
  const further = authors.slice(3, 4).flatMap((author) => {
    const parts = [composer.compose(random, author), composer.compose(random, author)];
    return parts.map(({ content, facets, languages }) => ({ content, facets, languages }));
  });
  const quote = { $type: 'app.bsky.embed.record', record: { uri: quoted } };
  const special = new Map<number, Partial<PostRow>>([
    [3, { thread: new Json(further) }],
    [5, { reply_to: parent ?? null }],
    [7, { embed: new Json(quote) }],
  ]);
  return posts.map((post, index) => Object.assign(post, special.get(index)));
}

/** Active users with the fewest posts of this month: no limit of a plan stops them. */
function quietest({ users, earlier, now }: Circumstances): readonly DemoUser[] {
  const month = iso(now).slice(0, 7);
  const counts = new Map<string, number>();
  for (const { user_id, scheduled_at } of earlier) {
    if (scheduled_at.startsWith(month)) counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
  }
  const countOf = ({ row }: DemoUser) => counts.get(row.id) ?? 0;
  return users
    .filter(({ row, stoppedAt }) => row.status === 'ACTIVE' && stoppedAt === null)
    .toSorted((a, b) => countOf(a) - countOf(b))
    .slice(0, FIRST_POSTS);
}
