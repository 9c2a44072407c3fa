import type { Endpoint } from '@meridian/contract/endpoint';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { afterEach, expect, test, vi } from 'vitest';
import { whose } from './call.ts';
import { calls, EXPORT_PATH, uploadPicture } from './calls.ts';
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
