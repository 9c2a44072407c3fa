import { makeSubscriptions } from './assignments.ts';
import { AWKWARD_POSTS, AWKWARD_USERS } from './awkward.ts';
import { createComposer } from './compose.ts';
import { makeCurrencies } from './currencies.ts';
import { processing } from './outcome.ts';
import { makePlans } from './plans.ts';
import { makePost, makePosts } from './posts.ts';
import { createRandom } from './random.ts';
import type { PostRow } from './rows.ts';
import { makeTickets } from './tickets.ts';
import { DAY, HOUR, MINUTE, startOfDay } from './times.ts';
import { makeUsers } from './users.ts';
import type { DemoUser } from './users.ts';

export { demoFiles } from './files.ts';

const USER_COUNT = 480;
const POST_COUNT = 6000;
const DAYS_BACK = 60;
const TOO_LONG_EVERY = 700;
/** Minutes before now at which the posts being published right now were due. */
const IN_PROGRESS = [0, 0, 1, 1, 5];

type Circumstances = {
  now: number;
  issuerId: string;
  /** The address at which clients find an object. */
  urlOf: (key: string) => string;
  seed?: string;
};

/** The same circumstances give the same rows, down to the ids. */
export function makeDemoRows({ now, issuerId, urlOf, seed = 'demo' }: Circumstances) {
  const today = startOfDay(now);
  const openedAt = today - 430 * DAY;
  const demoUsers = makeUsers(seed, today, USER_COUNT - AWKWARD_USERS.length);
  const { plans, prices } = makePlans(openedAt);
  const redeemed = makeTickets(plans, demoUsers, { issuerId, now });
  const users = [...demoUsers.map(({ row }) => row), ...AWKWARD_USERS].map((row) => {
    const avatar = row.avatar?.startsWith('avatars/') ? urlOf(row.avatar) : row.avatar;
    return Object.assign({}, row, { avatar });
  });
  return {
    users,
    posts: [...makeDemoPosts(seed, demoUsers, now), ...AWKWARD_POSTS],
    currencies: makeCurrencies(openedAt),
    plans,
    prices,
    tickets: redeemed.tickets,
    assignments: [...redeemed.assignments, ...makeSubscriptions(plans, demoUsers, now)],
  };
}

export type DemoRows = ReturnType<typeof makeDemoRows>;

function makeDemoPosts(seed: string, users: readonly DemoUser[], now: number): PostRow[] {
  const random = createRandom(`posts/${seed}`);
  const composer = createComposer(users, { hasFiles: true });
  const posts = makePosts(random, {
    count: POST_COUNT - IN_PROGRESS.length - AWKWARD_POSTS.length,
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
  const inProgress = IN_PROGRESS.map((minutes) => {
    const author = random.pick(users.filter(({ stoppedAt }) => stoppedAt === null));
    const scheduledAt = Math.floor(now / MINUTE) * MINUTE - minutes * MINUTE;
    const writtenAt = scheduledAt - random.int(1, 30) * HOUR;
    const createdAt = Math.max(author.createdAt + MINUTE, writtenAt);
    const content = composer.compose(random, author);
    const draft = { user: author, content, createdAt, scheduledAt };
    return makePost(random, draft, processing(random, draft));
  });
  return [...posts, ...inProgress];
}
