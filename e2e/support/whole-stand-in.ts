import {
  assignmentList,
  currencyGet,
  currencyList,
  planGet,
  planList,
  postGet,
  postList,
  settingsGet,
  statsGet,
  ticketGet,
  ticketList,
  userGet,
  userList,
  userPosts,
} from '@meridian/contract';
import type { Endpoint } from '@meridian/contract';
import {
  sampleAssignment,
  sampleCurrency,
  samplePlan,
  samplePost,
  samplePosts,
  sampleTicket,
  sampleUser,
} from './samples.ts';
import type { StandIn } from './stand-in.ts';

const PAGE = 20;

const BODIES: readonly [Pick<Endpoint, 'name'>, () => unknown][] = [
  [
    statsGet,
    () => ({
      users: { total: 60, activeUsers: 60, byStatus: [{ status: 'ACTIVE', count: 60 }] },
      posts: { total: 60, byStatus: [{ status: 'PENDING', count: 60 }] },
    }),
  ],
  [userList, () => ({ users: Array.from({ length: PAGE }, () => sampleUser()), total: 60 })],
  [userGet, () => ({ user: sampleUser() })],
  [userPosts, () => ({ posts: samplePosts(10), total: 10 })],
  [assignmentList, () => ({ assignments: [sampleAssignment()] })],
  [postList, () => ({ posts: samplePosts(PAGE), total: 60 })],
  [postGet, () => ({ post: samplePost() })],
  [
    ticketList,
    () => ({
      tickets: Array.from({ length: PAGE }, () => sampleTicket()),
      // For pages, which only some tests announce.
      total: 60,
      counts: { ALL: 60, UNUSED: 60, ACTIVE: 0, EXPIRED: 0, REVOKED: 0 },
    }),
  ],
  [ticketGet, () => ({ ticket: sampleTicket(), assignments: [sampleAssignment()] })],
  [planList, () => ({ plans: [samplePlan(), samplePlan()] })],
  [planGet, () => ({ plan: samplePlan() })],
  [currencyList, () => ({ currencies: [sampleCurrency()] })],
  [currencyGet, () => ({ currency: sampleCurrency() })],
  [settingsGet, () => ({ settings: { is_closed_beta: false, is_service_suspended: false } })],
];

/** Something to show on every screen, each answer held back until `until` and changed by `change`. */
export function answerEverything(
  standIn: StandIn,
  until?: () => Promise<void>,
  change: (body: unknown) => unknown = (body) => body,
): void {
  for (const [endpoint, bodyOf] of BODIES) {
    const body = change(bodyOf());
    standIn.on(endpoint, () => ({ body, ...(until && { until: until() }) }));
  }
}
