import { assignmentList } from '@meridian/contract/assignments';
import { currencyGet, currencyList } from '@meridian/contract/currencies';
import { DELIVERIES_FEATURE, deliveryGet } from '@meridian/contract/deliveries';
import { ENGINE_FEATURE, engineGet } from '@meridian/contract/engine';
import { planGet, planList } from '@meridian/contract/plans';
import { postGet, postList, POSTS_PAGE_SIZE, userPosts } from '@meridian/contract/posts';
import { settingsGet } from '@meridian/contract/settings';
import { statsGet } from '@meridian/contract/stats';
import {
  TICKET_PAGES_FEATURE,
  ticketGet,
  ticketList,
  TICKETS_PAGE_SIZE,
} from '@meridian/contract/tickets';
import { userGet, userList, USERS_PAGE_SIZE } from '@meridian/contract/users';
import { expectAnnounced } from './api/announced.ts';
import { ensureEndpoint, prefetchEndpoint as prefetch } from './api/use-endpoint-query.ts';
import { ALL_CURRENCIES } from './components/currency-query.ts';
import { listQuery, type Params, readParams, readPosition } from './components/list/list-params.ts';
import { ALL_PLANS } from './components/plan-query.ts';
import { POSTS_PARAMS } from './pages/posts/posts-params.ts';
import { TICKET_PAGES_PARAMS } from './pages/tickets/ticket-list.ts';
import { RECENT_POSTS } from './pages/users/recent-posts.ts';
import { USERS_PARAMS } from './pages/users/users-params.ts';

export interface LoaderArgs {
  /** The one parameter of the path; empty where there is none. */
  id: string;
  search: URLSearchParams;
}

type Loader = (args: LoaderArgs) => void;

function pageOf<P extends Params>(params: P, pageSize: number, search: URLSearchParams) {
  return { query: listQuery(pageSize, readParams(params, search), readPosition(search)) };
}

function loadTickets({ search }: LoaderArgs): void {
  const hasPages = expectAnnounced(TICKET_PAGES_FEATURE);
  if (hasPages === true) {
    prefetch(ticketList, pageOf(TICKET_PAGES_PARAMS, TICKETS_PAGE_SIZE, search));
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
}

/**
 * The reads each page begins with, started into the query cache while its code is loaded. No
 * loader waits for them: the page shows its skeleton meanwhile, and the error if they fail.
 */
export const loaders = {
  dashboard: () => prefetch(statsGet),
  users: ({ search }) => prefetch(userList, pageOf(USERS_PARAMS, USERS_PAGE_SIZE, search)),
  user: loadUser,
  posts: ({ search }) => prefetch(postList, pageOf(POSTS_PARAMS, POSTS_PAGE_SIZE, search)),
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
  currencyEdit: ({ id }) => prefetch(currencyGet, { params: { id } }),
} satisfies Record<string, Loader>;
