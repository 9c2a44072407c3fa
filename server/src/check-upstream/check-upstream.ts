import { setTimeout as delay } from 'node:timers/promises';
import { authLogout } from '@meridian/contract/auth';
import type { Endpoint } from '@meridian/contract/endpoint';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import { LAW, readByLaw } from '@meridian/contract/law';
import type { LawName } from '@meridian/contract/law';
import {
  POST_SORTS,
  POST_STATUS_FILTERS,
  postStatusOf,
  SORT_ORDERS,
} from '@meridian/contract/posts';
import { propertyOf } from '@meridian/contract/untrusted';
import { USER_STATUS_FILTERS } from '@meridian/contract/users';
import { Agent, request as fetchOnce } from 'undici';
import { jsonOf } from '../http/bodies.ts';

export type Credentials = { token: string } | { username: string; password: string };
export type Finding = { call: string; problems: Set<string>; leftOut: Set<string> };

type Query = Record<string, string | number>;
type Read = { query?: Query; of?: LawName; filters?: readonly string[]; sorts?: readonly string[] };
const READS: readonly (Read & { name: LawName })[] = [
  { name: 'authMe' },
  { name: 'settingsGet' },
  { name: 'statsGet' },
  { name: 'userList', filters: ['', ...USER_STATUS_FILTERS] },
  { name: 'postList', filters: ['', ...POST_STATUS_FILTERS], sorts: POST_SORTS },
  { name: 'userPosts', of: 'userList', query: { limit: 10 } },
  { name: 'assignmentList', of: 'userList' },
  { name: 'ticketList' },
  { name: 'planList', query: { includeInactive: 'true', includeInvisible: 'true' } },
  { name: 'currencyList', query: { includeInactive: 'true' } },
  { name: 'userGet', of: 'userList' },
  { name: 'postGet', of: 'postList' },
  { name: 'ticketGet', of: 'ticketList' },
  { name: 'planGet', of: 'planList' },
  { name: 'currencyGet', of: 'currencyList' },
];
const PAGE_SIZE = 20;
/** Others change what is listed meanwhile: only what is wrong each time is reported. */
const TRIES = 3;
const WRONG = 'check-upstream-wrong';

export async function checkUpstream(base: URL, credentials: Credentials): Promise<Finding[]> {
  const { reason } = await send(base, callOf('authMe'), {});
  if (reason !== null) throw new NoResponse(reason);
  const probe = createProbe(base);
  for (const { name } of READS) {
    await probe.expectStatus(name, 401, { id: WRONG }, 'without a token');
  }
  if ('token' in credentials) probe.signIn(credentials.token);
  else {
    const body = { username: WRONG, password: WRONG };
    await probe.expectStatus('authLogin', 401, { body }, 'with a wrong password');
    const session = await probe.read('authLogin', { body: credentials });
    if (session === null) return probe.findings();
    probe.signIn(String(session['token']));
  }
  const lists = new Map<LawName, Row[]>();
  for (const { name, of, ...read } of READS) {
    if (of === undefined) lists.set(name, await playList(probe, name, read));
    else await playRows(probe, name, lists.get(of) ?? [], read);
  }
  if (!('token' in credentials)) await probe.signOut();
  return probe.findings();
}

type Data = Record<string, unknown>;
type Row = { id: string; status?: string; redemptionCount?: number };
type Probe = ReturnType<typeof createProbe>;

const problem = (at: string, expected: string, found: unknown) =>
  `${at}: expected ${expected}, found ${String(found)}`;

function createProbe(base: URL) {
  const findings = new Map<LawName, Finding>();
  let token = '';

  function findingOf(name: LawName): Finding {
    const { method, path } = callOf(name);
    const none = { call: `${method} ${path}`, problems: new Set(''), leftOut: new Set('') };
    findings.set(name, findings.get(name) ?? none);
    return findings.get(name) ?? none;
  }
  const add = (name: LawName, text: string) => findingOf(name).problems.add(text);
  const play = (call: Endpoint, request: Request) => send(base, call, { token, ...request });

  return {
    add,
    findings: () => [...findings.values()],
    signIn: (given: string) => (token = given),
    signOut: () => play(authLogout, {}), // which a service need not have

    async expectStatus(name: LawName, expected: number, request: Request, when: string) {
      const { status } = await play(callOf(name), request);
      if (status !== expected) add(name, problem(`status ${when}`, String(expected), status));
    },

    async read(name: LawName, request: Request): Promise<Data | null> {
      const finding = findingOf(name);
      const { status, json } = await play(callOf(name), request);
      if (!String(status).startsWith('2')) {
        add(name, problem('status', 'success', status));
        return null;
      }
      const { data, problems, leftOut } = readByLaw(name, json);
      for (const { field, expected, found } of problems) {
        add(name, problem(field.replaceAll(/\[\d+\]/g, '[]') || 'response', expected, found));
      }
      for (const field of leftOut) finding.leftOut.add(field);
      return data;
    },
  };
}

async function playList(probe: Probe, name: LawName, read: Read): Promise<Row[]> {
  const { query = {}, filters = [], sorts = [] } = read;
  const checks = filters.map((status) => () => checkPages(probe, name, status));
  for (const sort of sorts) {
    for (const order of SORT_ORDERS) checks.push(() => checkOrder(probe, name, { sort, order }));
  }
  for (const check of checks) {
    let found = await check();
    for (let tries = 1; found !== null && tries < TRIES; tries += 1) found = await check();
    if (found !== null) probe.add(name, found);
  }
  return rowsIn(await probe.read(name, { query }));
}

const rowsIn = (data: Data | null) =>
  (Object.values(data ?? {}).find((value) => Array.isArray(value)) ?? []) as Row[]; // in the law its rows have ids

async function playRows(probe: Probe, name: LawName, rows: Row[], read: Read): Promise<void> {
  const { resource } = LAW[name];
  if (resource === undefined) {
    for (const { id } of rows.slice(0, 5)) await probe.read(name, { id, ...read });
    return;
  }
  // A ticket that was redeemed shows its assignments.
  const uses = ({ redemptionCount = 0 }: Row) => redemptionCount;
  const [first] = rows.toSorted((a, b) => uses(b) - uses(a));
  const unknown = /^\d+$/.test(first?.id ?? '') ? '2147483646' : crypto.randomUUID();
  await probe.expectStatus(name, 404, { id: unknown }, 'of an unknown id');
  if (first === undefined) return;
  const data = await probe.read(name, { id: first.id });
  if (data === null || propertyOf(data[resource], 'id') === first.id) return;
  probe.add(name, problem(`${resource}.id`, 'the id that was asked for', 'another'));
}

async function checkPages(probe: Probe, name: LawName, status: string): Promise<string | null> {
  const filter: Query = { limit: PAGE_SIZE, ...(status !== '' && { status }) };
  const asked = status === '' ? '' : ` with ?status=${status}`;
  const first = await probe.read(name, { query: filter });
  if (first === null) return null;
  const rows = rowsIn(first);
  const total = Number(first['total']);
  if (status !== '' && rows.some((row) => row.status !== postStatusOf(status))) {
    return problem(`status${asked}`, 'that of the filter', 'another');
  }
  if (rows.length !== Math.min(total, PAGE_SIZE)) {
    const expected = `as many rows on a page of ${PAGE_SIZE}`;
    return problem(`total${asked}`, expected, `${total}, and ${rows.length} rows`);
  }
  const last = await probe.read(name, { query: { ...filter, offset: Math.max(total - 1, 0) } });
  const behind = await probe.read(name, { query: { ...filter, offset: Math.max(total, 1) } });
  const isCounted = rowsIn(last).length === Math.min(total, 1) && rowsIn(behind).length === 0;
  return isCounted ? null : problem(`total${asked}`, 'the number of rows of the list', total);
}

/** Ties must be broken in the same way on every page, or pages repeat and skip rows. */
async function checkOrder(probe: Probe, name: LawName, by: { sort: string; order: string }) {
  const half = PAGE_SIZE / 2;
  const idsOf = async (limit: number, offset: number) =>
    rowsIn(await probe.read(name, { query: { ...by, limit, offset } })).map(({ id }) => id);
  const halves = [...(await idsOf(half, 0)), ...(await idsOf(half, half))];
  const isSame = halves.join(' ') === (await idsOf(PAGE_SIZE, 0)).join(' ');
  const at = `order with ?sort=${by.sort}&order=${by.order}`;
  return isSame ? null : problem(at, `the same in pages of ${half} and ${PAGE_SIZE}`, 'another');
}

const TIMEOUT_MS = 30_000;
const WAITS_MAX = 3;
const dispatcher = new Agent({ maxResponseSize: 16 * 1024 * 1024 });
const CERTIFICATE_REFUSED = /CERT|SIGNATURE/;

type Request = { id?: string; query?: Query; body?: object; token?: string };

export class NoResponse extends Error {}

function callOf(name: LawName): Endpoint {
  const call = SPECIFIED_CALLS.find((one) => one.name === name);
  if (call === undefined) throw new Error(`There is no call ${name}`);
  return call;
}

/** Redirects are not followed and a rate limit is waited for, as in the console. */
async function send(base: URL, { method, path }: Endpoint, request: Request) {
  const { id = '', query = {}, body = null, token = '' } = request;
  const url = base.href.replace(/\/$/, '') + path.replace('{id}', encodeURIComponent(id));
  const headers = {
    accept: 'application/json',
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  const options = { method, headers, query, body: body && JSON.stringify(body), dispatcher };
  try {
    for (let wait = 1; ; wait += 1) {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const reply = await fetchOnce(url, { ...options, signal });
      const [status, json] = [reply.statusCode, jsonOf(await reply.body.text())];
      if (status !== 429 || wait > WAITS_MAX) return { status, json, reason: null };
      const seconds = Number(/^\d+$/.exec(String(reply.headers['retry-after']))?.[0] ?? 1);
      await delay(Math.min(seconds, 60) * 1000);
    }
  } catch (error) {
    return { status: 'no response', json: null, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (propertyOf(error, 'name') === 'TimeoutError') return 'no response within 30 seconds';
  const code = String(propertyOf(error, 'code'));
  return CERTIFICATE_REFUSED.test(code)
    ? `its certificate cannot be verified (${code}); if it is of an authority of your own, name that one's file in NODE_EXTRA_CA_CERTS`
    : `the connection failed (${code})`;
}
