import { isDeepStrictEqual } from 'node:util';
import { assignmentList } from '@meridian/contract/assignments';
import { authLogin, authLogout, authMe } from '@meridian/contract/auth';
import { currencyGet, currencyList } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import { LAW, type LawName, type LawOf, readByLaw } from '@meridian/contract/law';
import { planGet, planList } from '@meridian/contract/plans';
import {
  POST_SORTS,
  POST_STATUS_FILTERS,
  postGet,
  postList,
  postStatusOf,
  SORT_ORDERS,
  userPosts,
} from '@meridian/contract/posts';
import { settingsGet } from '@meridian/contract/settings';
import { statsGet } from '@meridian/contract/overview';
import { ticketGet, ticketList } from '@meridian/contract/tickets';
import { USER_STATUS_FILTERS, userGet, userList } from '@meridian/contract/users';
import { NoResponse, send } from './client.ts';
import type { Request } from './client.ts';

export type Credentials = { token: string } | { username: string; password: string };
/** A call fits when it has no problem. */
export type Finding = { call: string; problems: Set<string>; leftOut: Set<string> };

const PAGE_SIZE = 20;
const WRONG = 'check-upstream-wrong';
/** Others change what is listed meanwhile: only what is wrong each time is reported. */
const TRIES = 3;
const READS = SPECIFIED_CALLS.filter(({ method }) => method === 'GET');

/** Plays the reads of the console against a service. Throws NoResponse when there is none. */
export async function checkUpstream(base: URL, credentials: Credentials): Promise<Finding[]> {
  await send(base, authMe);
  const probe = createProbe(base);
  for (const endpoint of READS) {
    const request = { params: { id: 'check-upstream' }, token: null };
    await probe.expectStatus(endpoint, 401, request, 'without a token');
  }
  if ('token' in credentials) probe.signIn(credentials.token);
  else {
    const wrong = { username: WRONG, password: WRONG };
    await probe.expectStatus(authLogin, 401, { body: wrong }, 'with a wrong password');
    const session = await probe.read('authLogin', authLogin, { body: credentials });
    if (session === null) return probe.findings();
    probe.signIn(session.token);
  }
  await probe.read('authMe', authMe);
  await probe.read('settingsGet', settingsGet);
  await probe.read('statsGet', statsGet);
  await checkLists(probe);
  // A service need not have this call.
  if (!('token' in credentials)) await probe.send(authLogout).catch(() => null);
  return probe.findings();
}

type Probe = ReturnType<typeof createProbe>;

function createProbe(base: URL) {
  const findings = new Map<string, Finding>();
  let token: string | null = null;

  function findingOf({ name, method, path }: Endpoint): Finding {
    const none: Finding = {
      call: `${method} ${path}`,
      problems: new Set(),
      leftOut: new Set(),
    };
    const finding = findings.get(name) ?? none;
    findings.set(name, finding);
    return finding;
  }
  const add = (endpoint: Endpoint, at: string, expected: string, found: unknown) =>
    findingOf(endpoint).problems.add(`${at}: expected ${expected}, found ${String(found)}`);
  const play = (endpoint: Endpoint, request: Request = {}) =>
    send(base, endpoint, { token, ...request });

  return {
    findings: () => [...findings.values()],
    add,
    send: play,
    signIn(given: string) {
      token = given;
    },

    async expectStatus(endpoint: Endpoint, status: number, request: Request, when: string) {
      const reply = await play(endpoint, request).catch(noReply);
      if (reply?.status !== status) {
        add(endpoint, `status ${when}`, String(status), reply?.status ?? 'no response');
      }
    },

    /** A response that fits, with the values that the console would read; null for any other. */
    async read<Name extends LawName>(
      name: Name,
      endpoint: Endpoint,
      request: Request = {},
    ): Promise<LawOf<Name> | null> {
      const finding = findingOf(endpoint);
      const reply = await play(endpoint, request).catch(noReply);
      const isSuccess = reply !== null && reply.status >= 200 && reply.status < 300;
      if (!isSuccess) {
        add(endpoint, 'status', 'success', reply?.status ?? 'no response');
        return null;
      }
      const { data, problems, leftOut } = readByLaw(name, reply.json);
      for (const { field, expected, found } of problems) {
        add(endpoint, field.replaceAll(/\[\d+\]/g, '[]') || 'response', expected, found);
      }
      for (const field of leftOut) finding.leftOut.add(field);
      return data;
    },

    /** Adds what is wrong at every try. */
    async check(endpoint: Endpoint, problemOf: () => Promise<[string, string, unknown] | null>) {
      let problem: [string, string, unknown] | null = null;
      for (let tries = 0; tries < TRIES; tries += 1) {
        problem = await problemOf();
        if (problem === null) return;
      }
      if (problem !== null) add(endpoint, ...problem);
    },
  };
}

function noReply(error: unknown): null {
  if (error instanceof NoResponse) return null;
  throw error;
}

async function checkLists(probe: Probe): Promise<void> {
  const userPage = async (query: Query) => {
    const body = await probe.read('userList', userList, { query });
    return body && { rows: body.users, total: body.total };
  };
  const postPage = async (query: Query) => {
    const body = await probe.read('postList', postList, { query });
    return body && { rows: body.posts, total: body.total };
  };
  const users = await checkPages(probe, userList, userPage, USER_STATUS_FILTERS);
  const posts = await checkPages(probe, postList, postPage, POST_STATUS_FILTERS);
  for (const sort of POST_SORTS) {
    for (const order of SORT_ORDERS) await checkOrder(probe, postPage, sort, order);
  }
  for (const { id } of users.slice(0, 5)) {
    await probe.read('userPosts', userPosts, { params: { id }, query: { limit: 10 } });
    await probe.read('assignmentList', assignmentList, { params: { id } });
  }
  const all = { query: { includeInactive: 'true', includeInvisible: 'true' } };
  const tickets = (await probe.read('ticketList', ticketList))?.tickets ?? [];
  const plans = (await probe.read('planList', planList, all))?.plans ?? [];
  const inactive = { query: { includeInactive: 'true' } };
  const currencies = (await probe.read('currencyList', currencyList, inactive))?.currencies ?? [];
  // One that was redeemed shows its assignments.
  const redeemed = tickets.toSorted((a, b) => b.redemptionCount - a.redemptionCount);
  await checkOne(probe, 'userGet', userGet, users);
  await checkOne(probe, 'postGet', postGet, posts);
  await checkOne(probe, 'ticketGet', ticketGet, redeemed);
  await checkOne(probe, 'planGet', planGet, plans);
  await checkOne(probe, 'currencyGet', currencyGet, currencies);
}

type Query = Record<string, string | number>;
type Row = { id: string; status?: string };
type PageOf = (query: Query) => Promise<{ rows: Row[]; total: number } | null>;

/** Returns the first page. */
async function checkPages(
  probe: Probe,
  endpoint: Endpoint,
  pageOf: PageOf,
  statuses: readonly string[],
): Promise<Row[]> {
  const limit = PAGE_SIZE;
  for (const status of ['', ...statuses]) {
    const filter: Query = status === '' ? {} : { status };
    const asked = status === '' ? '' : ` with ?status=${status}`;
    await probe.check(endpoint, async () => {
      const first = await pageOf({ limit, ...filter });
      if (first === null) return null;
      const { rows, total } = first;
      const hasOther = rows.some((row) => row.status !== postStatusOf(status));
      if (status !== '' && hasOther) return [`status${asked}`, 'that of the filter', 'another'];
      if (rows.length !== Math.min(total, limit)) {
        return [
          `total${asked}`,
          `as many rows on a page of ${limit}`,
          `${total}, and ${rows.length} rows`,
        ];
      }
      const last = await pageOf({ limit, ...filter, offset: Math.max(total - 1, 0) });
      const behind = await pageOf({ limit, ...filter, offset: Math.max(total, 1) });
      const isCounted = last?.rows.length === Math.min(total, 1) && behind?.rows.length === 0;
      return isCounted ? null : [`total${asked}`, 'the number of rows of the list', total];
    });
  }
  return (await pageOf({ limit }))?.rows ?? [];
}

/** Ties are broken in the same way on every page, or pages repeat and skip rows. */
async function checkOrder(probe: Probe, pageOf: PageOf, sort: string, order: string) {
  await probe.check(postList, async () => {
    const idsOf = async (query: Query) =>
      (await pageOf({ sort, order, ...query }))?.rows.map(({ id }) => id) ?? [];
    const half = PAGE_SIZE / 2;
    const whole = await idsOf({ limit: PAGE_SIZE });
    const halves = [
      ...(await idsOf({ limit: half })),
      ...(await idsOf({ limit: half, offset: half })),
    ];
    const isSame = isDeepStrictEqual(halves, whole);
    return isSame
      ? null
      : [
          `order with ?sort=${sort}&order=${order}`,
          `the same in pages of ${half} and ${PAGE_SIZE}`,
          'another',
        ];
  });
}

/** The first row by its id, and an id that is none. */
async function checkOne(probe: Probe, name: LawName, endpoint: Endpoint, rows: readonly Row[]) {
  const [first] = rows;
  const isNumber = /^\d+$/.test(first?.id ?? '');
  const unknown = isNumber ? '2147483646' : crypto.randomUUID();
  await probe.expectStatus(endpoint, 404, { params: { id: unknown } }, 'of an unknown id');
  if (first === undefined) return;
  const body = await probe.read(name, endpoint, { params: { id: first.id } });
  // Each of these responses is one resource under its name.
  const [resource] = Object.values(body ?? {}) as { id?: string }[];
  if (body !== null && resource?.id !== first.id) {
    probe.add(endpoint, `${String(LAW[name].resource)}.id`, 'the id that was asked for', 'another');
  }
}
