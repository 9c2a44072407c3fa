import { awkwardPosts, awkwardUsers } from './awkward-posts.ts';
import { makeSubscriptions } from './commerce/assignments.ts';
import { makeCurrencies } from './commerce/currencies.ts';
import { makePlans } from './commerce/plans.ts';
import { makeTickets } from './commerce/tickets.ts';
import { avatarKey } from './images/avatar-files.ts';
import { makePosts } from './posts/index.ts';
import type {
  AssignmentRow,
  CurrencyRow,
  PlanPriceRow,
  PlanRow,
  PostRow,
  TicketRow,
  UserRow,
} from './rows.ts';
import { DAY, startOfDay } from './times.ts';
import { makeUsers } from './users.ts';
import type { DemoUser } from './users.ts';

const USER_COUNT = 480;
const POST_COUNT = 6000;

export type DemoRows = {
  /** Those with an avatar of their own to draw are among them. */
  people: DemoUser[];
  users: UserRow[];
  posts: PostRow[];
  currencies: CurrencyRow[];
  plans: PlanRow[];
  prices: PlanPriceRow[];
  tickets: TicketRow[];
  assignments: AssignmentRow[];
};

type Circumstances = {
  now: number;
  issuerId: string;
  /** The address a reader uses for an object's key. */
  urlOf: (key: string) => string;
};

/** The same circumstances give the same rows, down to the ids. */
export function makeDemoRows({ now, issuerId, urlOf }: Circumstances): DemoRows {
  const today = startOfDay(now);
  const openedAt = today - 430 * DAY;
  const awkward = { users: awkwardUsers(urlOf), posts: awkwardPosts() };
  const people = makeUsers(today, USER_COUNT - awkward.users.length);
  for (const { row, portrait } of people) {
    row.avatar = portrait === null ? null : urlOf(avatarKey(row.id));
  }
  const posts = makePosts(people, { today, now, count: POST_COUNT - awkward.posts.length });
  const { plans, prices } = makePlans(openedAt);
  const granted = makeTickets(plans, people, { issuerId, now });
  return {
    people,
    users: [...people.map(({ row }) => row), ...awkward.users],
    posts: [...posts, ...awkward.posts],
    currencies: makeCurrencies(openedAt),
    plans,
    prices,
    tickets: granted.tickets,
    assignments: [...granted.assignments, ...makeSubscriptions(plans, people, now)],
  };
}
