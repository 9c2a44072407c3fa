import type { Assignment, assignmentList } from '@meridian/contract/assignments';
import type { Me } from '@meridian/contract/auth';
import type { Currency, currencyGet, currencyList } from '@meridian/contract/currencies';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { isLawName, type LawName, type LawOf, readByLaw } from '@meridian/contract/law';
import type { Stats } from '@meridian/contract/overview';
import type { Plan, planGet, planList, planPublish } from '@meridian/contract/plans';
import type { ListedPost, Post, postGet, postList, userPosts } from '@meridian/contract/posts';
import type { Settings } from '@meridian/contract/settings';
import type { Ticket, ticketGet, ticketList } from '@meridian/contract/tickets';
import type { User, userGet, userList } from '@meridian/contract/users';
import { UnexpectedResponseError } from '@meridian/ui/api/errors.ts';
import { noteLeftOut } from './components/LeftOutNote.tsx';

/*
 * The console may stand before a service that is not Meridian and has the specified calls alone. This file turns its
 * responses, in the shapes of `law.ts`, into those of the contract, and notes what it had to fill in. It is loaded
 * only for such a service.
 */

/** The arguments of the call, as far as a response does not repeat them. */
export interface Asked {
  params?: Readonly<Record<string, string>> | undefined;
  query?: { limit?: unknown; offset?: unknown } | undefined;
}

/** Version 0 sends no condition with a change. */
const UNVERSIONED = { version: 0 } as const;
const UNDATED = { createdAt: '', updatedAt: '' } as const;

type LawUser = LawOf<'userList'>['users'][number];
type LawListedPost = LawOf<'postList'>['posts'][number];
type LawPost = LawOf<'postGet'>['post'];
type LawPlan = LawOf<'planGet'>['plan'];
type LawCurrency = LawOf<'currencyGet'>['currency'];
type LawTicket = LawOf<'ticketGet'>['ticket'];
type LawAssignment = LawOf<'assignmentList'>['assignments'][number];

const userOf = (user: LawUser): User => ({ ...user, ...UNVERSIONED });

const listedPostOf = (post: LawListedPost): ListedPost => ({
  ...post,
  ...UNVERSIONED,
  languages: post.languages ?? [],
});

const postOf = (post: LawPost): Post => ({
  ...listedPostOf(post),
  facets: post.facets,
  embed: post.embed,
  hold: null,
  cause: null,
  reply_to: null,
  thread: null,
  retry_of: null,
  retried_as: null,
});

const planOf = (plan: LawPlan): Plan => ({
  ...plan,
  ...UNVERSIONED,
  ...UNDATED,
  isPaid: plan.priceMonthly !== null,
});

const currencyOf = (currency: LawCurrency): Currency => ({
  ...currency,
  ...UNVERSIONED,
  ...UNDATED,
});

const ticketOf = ({ plan, planId, ...ticket }: LawTicket): Ticket => ({
  ...ticket,
  planId: planId || (plan.id ?? ''),
  plan: { ...plan, id: plan.id ?? planId, limits: plan.limits ?? {} },
});

/** `userId` is the user whose assignments were asked for. */
const assignmentOf = (
  { plan, ticket, user, ...rest }: LawAssignment,
  userId: string,
): Assignment => ({
  ...rest,
  plan: { ...plan, id: plan.id ?? '' },
  ticket: ticket && { code: ticket.code, id: ticket.id ?? '' },
  user: user ?? { id: userId, displayName: null, handle: '', did: '' },
});

/** A service without cursors is paged by offset: an empty cursor says that there is a page, and leads to its number. */
function cursorsOf({ query = {} }: Asked, rows: number, total: number) {
  const offset = Number(query.offset ?? 0);
  return { previous: offset > 0 ? '' : null, next: offset + rows < total ? '' : null };
}

/** The calls whose responses the console reads. */
const READERS = {
  authMe: (admin: LawOf<'authMe'>): Me => ({ ...admin, meridian: '', eventId: '' }),
  settingsGet: (settings: LawOf<'settingsGet'>): Settings => ({ ...settings, ...UNVERSIONED }),
  statsGet: ({ users, posts }: LawOf<'statsGet'>): Stats => ({
    users,
    posts: { ...posts, byStatus: added(posts.byStatus) },
  }),
  userList: ({ users, total }: LawOf<'userList'>, asked: Asked): AnswerOf<typeof userList> => ({
    users: users.map(userOf),
    total,
    cursors: cursorsOf(asked, users.length, total),
  }),
  userGet: ({ user }: LawOf<'userGet'>): AnswerOf<typeof userGet> => ({ user: userOf(user) }),
  userPosts: ({ posts }: LawOf<'userPosts'>, asked: Asked): AnswerOf<typeof userPosts> => ({
    // The specification asks for no more than the limit, and a service may not mind it.
    posts: posts.slice(0, Number(asked.query?.limit ?? posts.length)).map(listedPostOf),
    total: posts.length,
    cursors: { next: null, previous: null },
  }),
  assignmentList: (
    { assignments }: LawOf<'assignmentList'>,
    asked: Asked,
  ): AnswerOf<typeof assignmentList> => ({
    assignments: assignments.map((one) => assignmentOf(one, asked.params?.['id'] ?? '')),
  }),
  postList: ({ posts, total }: LawOf<'postList'>, asked: Asked): AnswerOf<typeof postList> => ({
    posts: posts.map(listedPostOf),
    total,
    cursors: cursorsOf(asked, posts.length, total),
  }),
  postGet: ({ post }: LawOf<'postGet'>): AnswerOf<typeof postGet> => ({ post: postOf(post) }),
  ticketIssue: (issued: LawOf<'ticketIssue'>) => issued,
  ticketList: ({ tickets }: LawOf<'ticketList'>): AnswerOf<typeof ticketList> => ({
    tickets: tickets.map(ticketOf),
  }),
  ticketGet: ({ ticket, assignments }: LawOf<'ticketGet'>): AnswerOf<typeof ticketGet> => ({
    ticket: ticketOf(ticket),
    assignments: assignments.map((one) => assignmentOf(one, '')),
  }),
  planList: ({ plans }: LawOf<'planList'>): AnswerOf<typeof planList> => ({
    plans: plans.map(planOf),
  }),
  planGet: ({ plan }: LawOf<'planGet'>): AnswerOf<typeof planGet> => ({ plan: planOf(plan) }),
  planPublish: (published: LawOf<'planPublish'>): AnswerOf<typeof planPublish> => published,
  currencyList: ({ currencies }: LawOf<'currencyList'>): AnswerOf<typeof currencyList> => ({
    currencies: currencies.map(currencyOf),
  }),
  currencyGet: ({ currency }: LawOf<'currencyGet'>): AnswerOf<typeof currencyGet> => ({
    currency: currencyOf(currency),
  }),
};

/** One row per status, as EXECUTING and PROCESSING are the same. */
function added(rows: Stats['posts']['byStatus']): Stats['posts']['byStatus'] {
  const counts = new Map<string, number>();
  for (const { status, count } of rows) counts.set(status, (counts.get(status) ?? 0) + count);
  return Array.from(counts, ([status, count]) => ({ status, count }));
}

const isRead = (name: string): name is keyof typeof READERS & LawName =>
  isLawName(name) && Object.hasOwn(READERS, name);

/**
 * A response of a service that is not Meridian. It fails when it does not fit the specification; of changes whose
 * response nobody reads it is enough that they succeeded.
 */
export function readForeign<E extends Endpoint>(
  endpoint: E,
  raw: unknown,
  asked: Asked,
): AnswerOf<E> {
  const { name } = endpoint;
  // Nothing of such a response is read.
  if (!isRead(name)) return raw as AnswerOf<E>;
  const { data, leftOut } = readByLaw(name, raw);
  if (data === null) throw new UnexpectedResponseError({ status: endpoint.status, message: '' });
  noteLeftOut(name, asked.params, leftOut);
  // The reader belongs to the name, which the compiler does not follow through an index.
  const read = READERS[name] as (law: unknown, asked: Asked) => AnswerOf<E>;
  return read(data, asked);
}
