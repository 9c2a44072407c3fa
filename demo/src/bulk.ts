import { createComposer } from './compose.ts';
import type { Content } from './compose.ts';
import { VOICES } from './languages.ts';
import { makePerson } from './people.ts';
import { makePosts } from './posts.ts';
import type { Span } from './posts.ts';
import { createRandom } from './random.ts';
import type { PostRow, UserRow } from './rows.ts';
import { DAY, startOfDay } from './times.ts';
import { makeUserRow, makeUsers } from './users.ts';
import type { Author } from './users.ts';

/** New users, oldest first: a third joined before the span begins. Each is an author of posts. */
export function* bulkUsers(
  seed: string,
  count: number,
  { from, now }: Span,
): Generator<Author & { row: UserRow }> {
  const random = createRandom(`bulk-users/${seed}`);
  const start = from - (now - from) / 2 - DAY;
  for (let index = 0; index < count; index += 1) {
    const createdAt = Math.round(start + ((now - DAY - start) * (index + random.unit())) / count);
    const person = makePerson(random);
    const handle = `${person.slug}${random.int(100, 99_999)}.posts.example`;
    const row = makeUserRow(random, person, { handle, createdAt });
    const voice = random.chance(0.6) ? 'person' : random.pick(VOICES);
    yield { row, stoppedAt: null, createdAt, language: person.language, voice };
  }
}

/** An author for a user of unknown language. */
export function authorOf(user: { id: string; did: string; createdAt: number }): Author {
  const { id, did, createdAt } = user;
  const row = { id, did, status: 'ACTIVE', is_active: true } as const;
  return { row, stoppedAt: null, createdAt, language: 'en', voice: 'person' };
}

/** Activity falls with rank as in Zipf's law; the ranks are random. */
export function bulkPosts(
  seed: string,
  count: number,
  authors: readonly Author[],
  span: Span,
): Generator<PostRow> {
  const random = createRandom(`bulk-posts/${seed}`);
  const pool = contentPool(seed, span.now);
  const english = pool.get('en/person') ?? [];
  return makePosts(random, {
    count,
    span,
    daysAhead: 30,
    stepMinutes: 5,
    medianLeadHours: 18,
    authors: random.shuffled(authors).map((author, rank) => [author, 1 / (rank + 8)] as const),
    contentOf: ({ language, voice }) => random.pick(pool.get(`${language}/${voice}`) ?? english),
  });
}

const POOL_USERS = 475;
const TEXTS_PER_VOICE = 150;

/**
 * Thousands of texts by language and voice. A million rows draw from them: composing each one anew
 * takes longer than the database needs to store it.
 */
function contentPool(seed: string, now: number): Map<string, Content[]> {
  const random = createRandom(`contents/${seed}`);
  const users = makeUsers(seed, startOfDay(now), POOL_USERS);
  const composer = createComposer(users, { hasFiles: false });
  const pool = new Map<string, Content[]>();
  for (const user of users) {
    const key = `${user.language}/${user.voice}`;
    const texts = pool.get(key) ?? [];
    pool.set(key, texts);
    for (let round = 0; round < 30 && texts.length < TEXTS_PER_VOICE; round += 1) {
      texts.push(composer.compose(random, user));
    }
  }
  return pool;
}
