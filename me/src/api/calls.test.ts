import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { call, request } from '@meridian/ui/api/call.ts';
import * as calls from './calls.ts';

const { noteServerTime, serverNow, showMember, startAccess, whenRefused } = calls;
const named = Object.values(calls).filter((value) => typeof value === 'object');

startAccess();
afterEach(() => vi.unstubAllGlobals());

const wordsOf = ({ name, method, path }: Endpoint) => `${name}: ${method} ${path}`;
const isOfPrograms = ({ name }: Endpoint) => /^me(Token|SignInResult)/.test(name);

test('every endpoint of the page is one of the contract, by its name, method and path', () => {
  // Pictures are loaded by their address, and programs make the other calls.
  const ofMembers = ME_ENDPOINTS.filter(
    (endpoint: Endpoint) => endpoint.media !== 'picture' && !isOfPrograms(endpoint),
  );
  expect(named.map(wordsOf).toSorted()).toEqual(ofMembers.map(wordsOf).toSorted());
});

test('every call is made with its method and path, and says whose page it is', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (url: string, { method, headers, credentials }: RequestInit) => {
    const member = new Headers(headers).get('x-person');
    sent.push({ method, path: decodeURIComponent(url), member, credentials });
    return Promise.resolve(Response.json({}));
  });
  showMember('member-1');
  for (const endpoint of named) await call<Endpoint>(endpoint, { params: { id: '{id}' } });
  expect(sent).toEqual(
    named.map(({ method, path }) => ({
      method,
      path,
      member: 'member-1',
      credentials: 'same-origin',
    })),
  );
});

test('a picture is sent as the bytes that it is, with its type', async () => {
  const picture = new Blob(['x'], { type: 'image/webp' });
  let sent: Request | undefined;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent = new Request(`http://localhost${url}`, init);
    return Promise.resolve(Response.json({}));
  });
  await request(calls.meMediaUpload, { body: picture });
  expect(sent?.headers.get('content-type')).toBe('image/webp');
  expect(await sent?.text()).toBe('x');
});

test('a refusal is told to the page, whichever call met it', async () => {
  const told: unknown[] = [];
  whenRefused(({ status, code }) => told.push([status, code]));
  const body = { message: 'Sign in again', code: 'session_ended' };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body, { status: 401 })));
  await expect(call(calls.mePostList)).rejects.toThrow('Sign in again');
  expect(told).toEqual([[401, 'session_ended']]);
});

const NOW = Date.parse('2026-11-16T12:00:00Z');

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['an hour ahead', 'Mon, 16 Nov 2026 11:00:00 GMT', '2026-11-16T11:00:00.000Z'],
  ['an hour behind', 'Mon, 16 Nov 2026 13:00:00 GMT', '2026-11-16T13:00:00.000Z'],
  ['off by what a response takes', 'Mon, 16 Nov 2026 11:59:35 GMT', '2026-11-16T12:00:00.000Z'],
  ['not told', null, '2026-11-16T12:00:00.000Z'],
  ['told in other words', 'noon', '2026-11-16T12:00:00.000Z'],
])('with a clock that is %s the time is that of the server', (_, date, expected) => {
  noteServerTime(date);
  expect(new Date(serverNow()).toISOString()).toBe(expected);
});
