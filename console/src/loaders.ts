import { assignmentList } from '@meridian/contract/assignments';
import { currencyGet, currencyList } from '@meridian/contract/currencies';
import { DELIVERIES_FEATURE, deliveryGet } from '@meridian/contract/deliveries';
import { ENGINE_FEATURE, engineGet } from '@meridian/contract/engine';
import { FAILURES_FEATURE, failureList } from '@meridian/contract/failures';
import { NOW_FEATURE, nowGet } from '@meridian/contract/now';
import { planGet, planList } from '@meridian/contract/plans';
import { POST_FILTERS_FEATURE } from '@meridian/contract/post-filter';
import { postGet, postList, userPosts } from '@meridian/contract/posts';
import { settingsGet } from '@meridian/contract/settings';
import { statsGet } from '@meridian/contract/stats';
import { TICKET_PAGES_FEATURE, ticketGet, ticketList } from '@meridian/contract/tickets';
import { USER_SEARCH_FEATURE, userGet, userList } from '@meridian/contract/users';
import { VERDICT_FEATURE, verdictGet } from '@meridian/contract/verdict';
import { expectAnnounced } from './api/announced.ts';
import { ensureEndpoint, prefetchEndpoint as prefetch } from './api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from './components/currency-query.ts';
import { ALL_PLANS } from './components/plan-query.ts';
import { readParams } from './components/list/list-params.ts';
import { FAILURES_PARAMS } from './pages/failures/failures-params.ts';
import {
  hasFurtherFilters as hasFurtherPostFilters,
  postsPageAt,
} from './pages/posts/posts-params.ts';
import { ticketsPageAt } from './pages/tickets/ticket-list.ts';
import { RECENT_POSTS } from './pages/users/recent-posts.ts';
import {
  hasFurtherFilters as hasFurtherUserFilters,
  usersPageAt,
} from './pages/users/users-params.ts';

export interface LoaderArgs {
  /** The one parameter of the path; empty where there is none. */
  id: string;
  search: URLSearchParams;
}

type Loader = (args: LoaderArgs) => void;

// Where the features are not known, the page sends its request once they are.
function loadPosts({ search }: LoaderArgs): void {
  const hasFilters = expectAnnounced(POST_FILTERS_FEATURE);
  if (hasFilters === undefined && hasFurtherPostFilters(search)) return;
  prefetch(postList, postsPageAt(search, hasFilters === true));
}

function loadUsers({ search }: LoaderArgs): void {
  const hasSearch = expectAnnounced(USER_SEARCH_FEATURE);
  if (hasSearch === undefined && hasFurtherUserFilters(search)) return;
  prefetch(userList, usersPageAt(search, hasSearch === true));
}

function loadTickets({ search }: LoaderArgs): void {
  const hasPages = expectAnnounced(TICKET_PAGES_FEATURE);
  if (hasPages === true) {
    prefetch(ticketList, ticketsPageAt(search));
  } else if (hasPages === false) ensureEndpoint(ticketList);
  // Never told by this server: the page sends its request once the features are known.
}

function loadPlan({ id }: LoaderArgs): void {
  prefetch(planGet, { params: { id } });
  prefetch(currencyList, ALL_CURRENCIES);
}

function loadPost({ id }: LoaderArgs): void {
  prefetch(postGet, { params: { id } });
  if (expectAnnounced(DELIVERIES_FEATURE) === true) prefetch(deliveryGet, { params: { id } });
}

function loadUser({ id }: LoaderArgs): void {
  prefetch(userGet, { params: { id } });
  prefetch(assignmentList, { params: { id } });
  prefetch(userPosts, { params: { id }, query: RECENT_POSTS });
  if (expectAnnounced(VERDICT_FEATURE) === true) prefetch(verdictGet, { params: { id } });
}

/**
 * The reads each page begins with, started into the query cache while its code is loaded. No
 * loader waits for them: the page shows its skeleton meanwhile, and the error if they fail.
 */
export const loaders = {
  dashboard: () => {
    prefetch(statsGet);
    if (expectAnnounced(NOW_FEATURE) === true) prefetch(nowGet);
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
    if (expectAnnounced(ENGINE_FEATURE) === true) prefetch(engineGet);
  },
  failures: ({ search }) => {
    if (expectAnnounced(FAILURES_FEATURE) !== true) return;
    prefetch(failureList, { query: readParams(FAILURES_PARAMS, search) });
  },
  currencyEdit: ({ id }) => prefetch(currencyGet, { params: { id } }),
} satisfies Record<string, Loader>;
