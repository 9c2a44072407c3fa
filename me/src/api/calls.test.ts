import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { calls, EXPORT_PATH, noteServerTime, serverNow, uploadPicture, whose } from './calls.ts';
import { EVENTS_PATH } from './live.ts';

/** By what the page asks for, not by what a value says of itself. */
const sent: { method: string | undefined; path: string; person: string | null }[] = [];
vi.stubGlobal('navigator', { onLine: true });

afterEach(() => vi.unstubAllGlobals());

const isOfPrograms = ({ name }: Endpoint) => /^me(Token|SignInResult)/.test(name);

test('every call of the contract is made with its method and path, and says whose page it is', async () => {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const person = new Headers(init.headers).get('x-person');
    sent.push({ method: init.method, path: url, person });
    return Promise.resolve(Response.json({ media: {} }));
  });
  whose['x-person'] = 'person-1';
  const params = { id: '{id}' };
  for (const call of Object.values(calls)) await call({ params });
  await uploadPicture(new Blob(['x'], { type: 'image/png' }));
  const made = sent.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);
  expect(new Set(sent.map(({ person }) => person))).toEqual(new Set(['person-1']));
  made.push(`GET ${EXPORT_PATH}`, `GET ${EVENTS_PATH}`);
  // Pictures are loaded by their address, and programs make the other calls.
  const named = ME_ENDPOINTS.filter(
    (endpoint: Endpoint) => endpoint.media !== 'picture' && !isOfPrograms(endpoint),
  );
  expect(made.toSorted()).toEqual(named.map(({ method, path }) => `${method} ${path}`).toSorted());
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
