import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postList } from '@meridian/contract/posts';
import { userGet } from '@meridian/contract/users';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { call } from './call.ts';
import { forgetEarly, skipEarly, startEarly } from './early-answers.ts';
import { clearToken, setToken } from './token-store.ts';

const PAGE = { query: { limit: 20, offset: 0 } } as const;

let server: Server;
const seen: string[] = [];
let status = 200;

beforeAll(async () => {
  server = createServer(({ url, headers }, response) => {
    seen.push(`${url} ${headers.authorization}`);
    response.writeHead(status).end(JSON.stringify({ id: 'u', posts: [], total: seen.length }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a TCP server is an object once it listens.
  vi.stubEnv('VITE_API_BASE_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

afterEach(() => {
  vi.restoreAllMocks();
  skipEarly(() => false);
  forgetEarly();
  clearToken();
  seen.length = 0;
  status = 200;
});

test('the call finds the answer that was asked for early, and the next one asks anew', async () => {
  setToken('a');
  startEarly(postList, PAGE);
  startEarly(postList, PAGE);
  expect((await call(postList, PAGE)).total).toBe(1);
  expect(seen).toEqual(['/api/admin/posts?limit=20 Bearer a']);
  expect((await call(postList, PAGE)).total).toBe(2);
});

test('other arguments are another call', async () => {
  setToken('a');
  startEarly(userGet, { params: { id: 'a/b' } });
  await call(userGet, { params: { id: 'c' } });
  await call(userGet, { params: { id: 'a/b' } });
  expect(seen.toSorted()).toEqual([
    '/api/admin/users/a%2Fb Bearer a',
    '/api/admin/users/c Bearer a',
  ]);
});

test('a response to one token is not given to another', async () => {
  setToken('a');
  startEarly(postList, PAGE);
  setToken('b');
  await call(postList, PAGE);
  expect(seen.toSorted()).toEqual([
    '/api/admin/posts?limit=20 Bearer a',
    '/api/admin/posts?limit=20 Bearer b',
  ]);
});

test('without a token nothing is asked for, nor what is at hand', async () => {
  startEarly(postList, PAGE);
  setToken('a');
  skipEarly(([name, , query]) => name === 'postList' && query['limit'] === 20);
  startEarly(postList, PAGE);
  await call(postList, { query: { limit: 5 } });
  expect(seen).toEqual(['/api/admin/posts?limit=5 Bearer a']);
});

test('an answer that has waited too long is asked for again', async () => {
  setToken('a');
  const asked = vi.spyOn(globalThis, 'fetch');
  startEarly(postList, PAGE);
  await asked.mock.results[0]?.value;
  // One turn of the event loop, in which waiting callbacks run.
  await new Promise((resolve) => setImmediate(resolve));
  const later = performance.now() + 5001;
  vi.spyOn(performance, 'now').mockReturnValue(later);
  await call(postList, PAGE);
  expect(seen).toHaveLength(2);
});

test('a refusal is told by the call, not before', async () => {
  status = 500;
  setToken('a');
  startEarly(postList, PAGE);
  await expect(call(postList, PAGE)).rejects.toMatchObject({ status: 500 });
  expect(seen).toHaveLength(1);
});
