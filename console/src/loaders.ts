import { assignmentList } from '@meridian/contract/assignments';
import { currencyGet, currencyList } from '@meridian/contract/currencies';
import { deliveryGet, engineGet } from '@meridian/contract/engine';
import { failureList } from '@meridian/contract/failures';
import { overviewGet, statsGet } from '@meridian/contract/overview';
import { planGet, planList } from '@meridian/contract/plans';
import { postGet, postList, userPosts } from '@meridian/contract/posts';
import { settingsGet } from '@meridian/contract/settings';
import { ticketGet, ticketList } from '@meridian/contract/tickets';
import { userGet, userList } from '@meridian/contract/users';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import { expectMeridian } from '@meridian/ui/api/session.ts';
import { ensureEndpoint, prefetchEndpoint as prefetch } from '@meridian/ui/api/query.ts';
import { ALL_CURRENCIES, ALL_PLANS } from './components/catalogue.ts';
import { readParams } from '@meridian/ui/list/params.ts';
import { FAILURES_PARAMS } from './pages/failures/list.tsx';
import { hasFurtherFilters as hasFurtherPostFilters, postsPageAt } from './pages/posts/filters.tsx';
import { ticketsPageAt } from './pages/tickets/ticket.tsx';
import {
  hasFurtherFilters as hasFurtherUserFilters,
  RECENT_POSTS,
  usersPageAt,
} from './pages/users/params.ts';

export interface LoaderArgs {
  /** The one parameter of the path; empty where there is none. */
  id: string;
  search: URLSearchParams;
}

type Loader = (args: LoaderArgs) => void;

// Where it is not known whether the server is Meridian, the page sends its request once it is.
function loadPosts({ search }: LoaderArgs): void {
  const isMeridian = expectMeridian();
  if (isMeridian === undefined && hasFurtherPostFilters(search)) return;
  prefetch(postList, postsPageAt(search, isMeridian === true));
}

function loadUsers({ search }: LoaderArgs): void {
  const isMeridian = expectMeridian();
  if (isMeridian === undefined && hasFurtherUserFilters(search)) return;
  prefetch(userList, usersPageAt(search, isMeridian === true));
}

function loadTickets({ search }: LoaderArgs): void {
  const isMeridian = expectMeridian();
  if (isMeridian === true) {
    prefetch(ticketList, ticketsPageAt(search));
  } else if (isMeridian === false) ensureEndpoint(ticketList);
}

function loadPlan({ id }: LoaderArgs): void {
  prefetch(planGet, { params: { id } });
  prefetch(currencyList, ALL_CURRENCIES);
}

function loadPost({ id }: LoaderArgs): void {
  prefetch(postGet, { params: { id } });
  if (expectMeridian() === true) prefetch(deliveryGet, { params: { id } });
}

function loadUser({ id }: LoaderArgs): void {
  prefetch(userGet, { params: { id } });
  prefetch(assignmentList, { params: { id } });
  prefetch(userPosts, { params: { id }, query: RECENT_POSTS });
  if (expectMeridian() === true) prefetch(scheduleCheckGet, { params: { id } });
}

/**
 * The reads each page begins with, started into the query cache while its code is loaded. No
 * loader waits for them: the page shows its skeleton meanwhile, and the error if they fail.
 */
export const loaders = {
  dashboard: () => {
    prefetch(statsGet);
    if (expectMeridian() === true) prefetch(overviewGet);
  },
  users: loadUsers,
  user: loadUser,
  posts: loadPosts,
  post: loadPost,
  tickets: loadTickets,
  ticketIssue: () => prefetch(planList, ALL_PLANS),
  ticket: ({ id }) => prefetch(ticketGet, { params: { id } }),
  plans: () => prefetch(planList, ALL_PLANS),
  planCreate: () => prefetch(currencyList, ALL_CURRENCIES),
  planEdit: loadPlan,
  settings: () => {
    prefetch(settingsGet);
    prefetch(currencyList, ALL_CURRENCIES);
  },
  engine: () => {
    if (expectMeridian() === true) prefetch(engineGet);
  },
  failures: ({ search }) => {
    if (expectMeridian() !== true) return;
    prefetch(failureList, { query: readParams(FAILURES_PARAMS, search) });
  },
  currencyEdit: ({ id }) => prefetch(currencyGet, { params: { id } }),
} satisfies Record<string, Loader>;
