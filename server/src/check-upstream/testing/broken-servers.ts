import type { Alteration, Seen, Sent } from './altered-server.ts';

export type BrokenServer = Alteration & {
  name: string;
  /** Where it is found out, and what is said there. */
  call: string;
  says: string[];
};

type Body = Record<string, unknown>;

const isCall = (method: string, path: string) => (seen: Seen) =>
  seen.method === method && seen.url.pathname === `/api/admin/${path}`;
const POSTS = isCall('GET', 'posts');
const USERS = isCall('GET', 'users');
const STATS = isCall('GET', 'stats');
const TICKET = ({ method, url }: Seen) =>
  method === 'GET' && /\/tickets\/[\w-]+$/.test(url.pathname);

/** Changes the successful responses of a call. */
const instead = (is: (seen: Seen) => boolean, change: (body: Body) => unknown) => ({
  response: (sent: Sent, seen: Seen): Sent =>
    // The example sends objects only.
    is(seen) && sent.status === 200 ? { ...sent, body: change(sent.body as Body) } : sent,
});

/** Leaves a parameter of a call out. */
const without = (is: (seen: Seen) => boolean, parameter: string) => ({
  request: (seen: Seen) => {
    if (is(seen)) seen.url.searchParams.delete(parameter);
  },
});

const rowsIn = (body: Body, name: string) => body[name] as Body[]; // the example's own list
const TIME = 'an ISO 8601 time, such as 2026-03-02T08:14:00.000Z,';

/** The example with one mistake each. */
export const BROKEN_SERVERS: readonly BrokenServer[] = [
  {
    name: 'posts without their time',
    ...instead(POSTS, (body) => {
      for (const post of rowsIn(body, 'posts')) delete post['scheduled_at'];
      return body;
    }),
    call: 'GET /api/admin/posts',
    says: [`\`posts[0].scheduled_at\` is missing; the console shows ${TIME} there`],
  },
  {
    name: 'times as seconds',
    ...instead(isCall('GET', 'settings'), (body) => ({ ...body, updated_at: 1_780_000_000 })),
    call: 'GET /api/admin/settings',
    says: [`\`updated_at\` is a number; the console shows ${TIME} there`],
  },
  {
    name: 'times as a text for people',
    ...instead(isCall('GET', 'settings'), (body) => ({ ...body, updated_at: '2 March 2026' })),
    call: 'GET /api/admin/settings',
    says: [`\`updated_at\` is a text in another form; the console shows ${TIME} there`],
  },
  {
    name: 'statuses in lower case',
    ...instead(USERS, (body) => {
      for (const user of rowsIn(body, 'users'))
        user['status'] = String(user['status']).toLowerCase();
      return body;
    }),
    call: 'GET /api/admin/users',
    says: ['ACTIVE', 'SUSPENDED'].map(
      (word) => `?status=${word} returned a row with the status ${word.toLowerCase()}`,
    ),
  },
  {
    name: 'a user filter that tells upper from lower case',
    request: ({ url }) => {
      const filter = url.searchParams.get('userFilter') ?? '';
      if (/[A-Z]/.test(filter)) url.searchParams.set('userFilter', 'none');
    },
    call: 'GET /api/admin/posts',
    says: [
      '?userFilter with the handle or the DID of an author returned no post; upper and lower case are the same',
    ],
  },
  {
    name: 'assignments without their plan, though not of the first ticket',
    ...instead(TICKET, (body) => {
      for (const assignment of rowsIn(body, 'assignments')) delete assignment['plan'];
      return body;
    }),
    call: 'GET /api/admin/tickets/{id}',
    says: [
      '`assignments[0].plan` is missing; the console shows an object with name, displayName, tier, limits there',
    ],
  },
  {
    name: 'posts of a user without a limit',
    ...without(({ url }) => /\/users\/[\w-]+\/posts$/.test(url.pathname), 'limit'),
    call: 'GET /api/admin/users/{id}/posts',
    says: ['?limit=10 returned 15 posts', '?limit=1 returned 15 posts'],
  },
  {
    name: 'inactive currencies that are gone',
    ...without(isCall('GET', 'currencies'), 'includeInactive'),
    call: 'GET /api/admin/currencies',
    says: [
      'an inactive currency is not in the list with ?includeInactive=true: it could not be activated again',
    ],
  },
  {
    name: 'hidden plans that are gone',
    ...without(isCall('GET', 'plans'), 'includeInvisible'),
    call: 'GET /api/admin/plans',
    says: [
      'an inactive, hidden plan is not in the list with ?includeInactive=true&includeInvisible=true: it could not be activated again',
    ],
  },
  {
    name: 'one redemption whatever was asked',
    ...instead(TICKET, (body) => {
      Object.assign(body['ticket'] as Body, { maxRedemptions: 1 }); // the example's own ticket
      return body;
    }),
    call: 'POST /api/admin/tickets/issue',
    says: ['`ticket.maxRedemptions` is not what was sent when it is read again'],
  },
  {
    name: 'a refusal of what is right',
    response: (sent, seen) =>
      isCall('POST', 'currencies')(seen) && sent.status === 200
        ? { status: 400, body: { message: 'The code\nis unknown' } }
        : sent,
    call: 'POST /api/admin/currencies',
    says: ['responded with 400 (The code is unknown) where success is expected'],
  },
  {
    name: 'a list in another envelope',
    ...instead(isCall('GET', 'tickets'), ({ tickets }) => ({ data: tickets, count: 1 })),
    call: 'GET /api/admin/tickets',
    says: ['`tickets` is missing; the console shows a list there'],
  },
  {
    name: 'a page of HTML',
    ...instead(STATS, () => '<html>'),
    call: 'GET /api/admin/stats',
    says: ['the response is not JSON'],
  },
  {
    name: 'a read without a token',
    response: (sent, seen) =>
      STATS(seen) && sent.status === 401 ? { status: 200, body: {} } : sent,
    call: 'GET /api/admin/stats',
    says: ['responded with 200 without a valid token; 401 is expected'],
  },
  {
    name: 'an error without a message',
    response: (sent) => (sent.status === 404 ? { status: 404, body: { error: 'gone' } } : sent),
    call: 'GET /api/admin/posts/{id}',
    says: [
      'the response is an error without `message`; the console shows that text to the administrator',
    ],
  },
  {
    name: 'an unknown id that is a fault',
    response: (sent, { url }) =>
      url.pathname.startsWith('/api/admin/users/') && sent.status === 404
        ? { ...sent, status: 500 }
        : sent,
    call: 'GET /api/admin/users/{id}',
    says: ['responded with 500 to an unknown id; 404 is expected'],
  },
  {
    name: 'an offset that does nothing',
    ...without(USERS, 'offset'),
    call: 'GET /api/admin/users',
    says: [
      '?limit=2&offset=1 does not begin with the second row of the list: pages would repeat or skip rows',
      '?offset=3 returned 3 rows behind the last of 3',
      '?offset=2 returned 2 rows behind the last of 2 with ?status=ACTIVE',
      '?offset=1 returned 1 rows behind the last of 1 with ?status=SUSPENDED',
    ],
  },
  {
    name: 'a total that counts the page',
    ...instead(POSTS, (body) => ({ ...body, total: rowsIn(body, 'posts').length })),
    call: 'GET /api/admin/posts',
    says: [
      '`total` is 1 with ?limit=1 and 20 without: it counts the list, not the page',
      '?offset=20 returned 20 rows behind the last of 20',
    ],
  },
  {
    name: 'an offset that counts pages',
    request: (seen) => {
      const { searchParams } = seen.url;
      const [offset, limit] = [searchParams.get('offset'), searchParams.get('limit')];
      if (USERS(seen) && offset) searchParams.set('offset', String(Number(offset) * Number(limit)));
    },
    call: 'GET /api/admin/users',
    says: [
      '?limit=2&offset=1 does not begin with the second row of the list: pages would repeat or skip rows',
    ],
  },
  {
    name: 'a total that counts deleted rows too',
    ...instead(POSTS, (body) => ({ ...body, total: Number(body['total']) + 1 })),
    call: 'GET /api/admin/posts',
    says: [
      '`total` is 46, but ?offset=45 returned no row',
      ...['PENDING', 'EXECUTING', 'COMPLETED', 'FAILED', 'CANCELLED'].map(
        (word) => `\`total\` is 10 with ?status=${word}, but the first page of 20 has 9 rows`,
      ),
      '`total` is 16 with ?userFilter, but the first page of 20 has 15 rows',
      '`total` is 1 with ?userFilter, but the first page of 20 has 0 rows',
    ],
  },
  {
    name: 'a total without the filter',
    ...instead(
      (seen) => USERS(seen) && seen.url.searchParams.has('status'),
      (body) => ({ ...body, total: 3 }),
    ),
    call: 'GET /api/admin/users',
    says: [
      '`total` is 3 with ?status=ACTIVE, but the first page of 20 has 2 rows',
      '`total` is 3 with ?status=SUSPENDED, but the first page of 20 has 1 rows',
      '`total` is 3 with ?status=BLOCKED, but the first page of 20 has 0 rows',
    ],
  },
  {
    name: 'ties in another order on every page',
    ...instead(
      (seen) => POSTS(seen) && seen.url.searchParams.get('limit') === '10',
      (body) => ({ ...body, posts: rowsIn(body, 'posts').toReversed() }),
    ),
    call: 'GET /api/admin/posts',
    says: ['status', 'scheduled_at', 'created_at'].flatMap((sort) =>
      ['asc', 'desc'].map(
        (order) =>
          `?sort=${sort}&order=${order} has another order in pages of 10 than in one of 20: break ties by id, or pages repeat and skip rows`,
      ),
    ),
  },
  {
    name: 'a filter that does nothing',
    ...without(POSTS, 'status'),
    call: 'GET /api/admin/posts',
    says: ['PENDING', 'EXECUTING', 'COMPLETED', 'FAILED', 'CANCELLED'].map(
      (word) =>
        `?status=${word} returned a row with the status ${word === 'CANCELLED' ? 'FAILED' : 'CANCELLED'}`,
    ),
  },
  {
    name: 'an order that does nothing',
    ...without(POSTS, 'order'),
    call: 'GET /api/admin/posts',
    says: [
      '?sort=scheduled_at&order=asc is not in that order',
      '?sort=status begins with the same status in both orders',
    ],
  },
  {
    name: 'counts that do not add up',
    ...instead(STATS, (body) => ({
      ...body,
      users: { total: 9, activeUsers: 2, byStatus: [{ status: 'ACTIVE', count: 2 }] },
    })),
    call: 'GET /api/admin/stats',
    says: [
      'the counts of `users.byStatus` add up to 2, but `users.total` is 9: the chart would not show all',
    ],
  },
  {
    name: 'a change that is not made',
    request: (seen) => {
      if (!seen.url.pathname.endsWith('/visibility') || !seen.hasToken) return;
      seen.url.pathname = seen.url.pathname.replace('/visibility', '');
      seen.method = 'GET';
      seen.body = undefined;
    },
    call: 'PATCH /api/admin/plans/{id}/visibility',
    says: ['`plan.isVisible` is not what was sent when it is read again'],
  },
  {
    name: 'a bad body that is taken',
    response: (sent, seen) =>
      isCall('POST', 'tickets/issue')(seen) && sent.status === 400
        ? { status: 200, body: {} }
        : sent,
    call: 'POST /api/admin/tickets/issue',
    says: [
      'responded with 200 to validDays of 0; 400 or 422 is expected',
      'responded with 200 to maxRedemptions of 10001; 400 or 422 is expected',
      'responded with 200 to an override out of range; 400 or 422 is expected',
    ],
  },
];
