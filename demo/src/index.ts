import { makeSubscriptions } from './assignments.ts';
import { AWKWARD_COUNT, AWKWARD_USERS, awkwardPosts } from './awkward.ts';
import { createComposer } from './compose.ts';
import { makeCurrencies } from './currencies.ts';
import { FIRST_POSTS, makeFirstPosts } from './first-posts.ts';
import { makePlans } from './plans.ts';
import { makePosts } from './posts.ts';
import { createRandom } from './random.ts';
import type { PostRow } from './rows.ts';
import { makeTickets } from './tickets.ts';
import { DAY, startOfDay } from './times.ts';
import { makeUsers } from './users.ts';
import type { DemoUser } from './users.ts';

export { demoFiles } from './files.ts';

const USER_COUNT = 480;
const MADE_UP_USERS = USER_COUNT - AWKWARD_USERS.length;
const POST_COUNT = 6000;
const DAYS_BACK = 60;
const TOO_LONG_EVERY = 700;

type Circumstances = {
  now: number;
  issuerId: string;
  /** The address at which clients find an object. */
  urlOf: (key: string) => string;
  seed?: string;
};

const SEED = 'demo';

/** The same circumstances give the same rows, down to the ids. */
export function makeDemoRows({ now, issuerId, urlOf, seed = SEED }: Circumstances) {
  const today = startOfDay(now);
  const openedAt = today - 430 * DAY;
  const demoUsers = makeUsers(seed, today, MADE_UP_USERS);
  const { plans, prices } = makePlans(openedAt);
  const redeemed = makeTickets(plans, demoUsers, { issuerId, now });
  const users = [...demoUsers.map(({ row }) => row), ...AWKWARD_USERS].map((row) => {
    const avatar = row.avatar?.startsWith('avatars/') ? urlOf(row.avatar) : row.avatar;
    return Object.assign({}, row, { avatar });
  });
  return {
    users,
    posts: [...makeDemoPosts(seed, demoUsers, now), ...awkwardPosts(now)],
    currencies: makeCurrencies(openedAt),
    plans,
    prices,
    tickets: redeemed.tickets,
    assignments: [...redeemed.assignments, ...makeSubscriptions(plans, demoUsers, now)],
  };
}

export type DemoRows = ReturnType<typeof makeDemoRows>;

/** Writes on for those users, who have the same DIDs on every day; without pictures, which would take room. */
export function createDemoWriter(now: number) {
  const random = createRandom(`further/${now}`);
  const users = makeUsers(SEED, startOfDay(now), MADE_UP_USERS).filter(
    ({ row, stoppedAt }) => row.status === 'ACTIVE' && stoppedAt === null,
  );
  const composer = createComposer(users, { hasFiles: false });
  return () => {
    const user = random.pick(users);
    return { did: user.row.did, ...composer.compose(random, user) };
  };
}

function makeDemoPosts(seed: string, users: readonly DemoUser[], now: number): PostRow[] {
  const random = createRandom(`posts/${seed}`);
  const composer = createComposer(users, { hasFiles: true });
  const written = makePosts(random, {
    count: POST_COUNT - FIRST_POSTS - AWKWARD_COUNT,
    span: { from: now - DAYS_BACK * DAY, now },
    daysAhead: 14,
    stepMinutes: 15,
    medianLeadHours: 40,
    authors: users.map((user) => [user, user.weight] as const),
    contentOf: (author, index) =>
      index % TOO_LONG_EVERY === TOO_LONG_EVERY / 2
        ? composer.composeTooLong(random, author)
        : composer.compose(random, author),
  });
  const earlier = [...written];
  return [...earlier, ...makeFirstPosts(random, { users, composer, earlier, now })];
}
