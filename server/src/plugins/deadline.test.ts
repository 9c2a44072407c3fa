import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { allowTime, limitTime } from '../http/limits.ts';
import { answerErrors } from '../http/errors.ts';

const never = () => new Promise<never>(() => {});
let app: FastifyInstance;
let url: string;
let work: PromiseWithResolvers<{ done: true }>;

beforeEach(async () => {
  work = Promise.withResolvers();
  app = fastify();
  answerErrors(app);
  limitTime(app, 40, 5);
  app.route({ method: ['GET', 'POST'], url: '/never', handler: never });
  app.get('/held', () => work.promise);
  app.post('/echo', ({ body }) => body);
  app.get('/patient', (request) => {
    allowTime(request, 60_000);
    return work.promise;
  });
  app.get('/half', (_, reply) => {
    const body = new Readable({ read() {} });
    body.push('half of ');
    return reply.send(body);
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(async () => {
  app.server.closeAllConnections();
  await app.close();
});

const json = { 'content-type': 'application/json' };
test.each([
  ['GET', {}],
  ['POST with a body, which has been read long before', { body: '{"a":1}', headers: json }],
  ['POST without one', {}],
])('refuses in time: a %s', async (kind, init) => {
  const response = await fetch(`${url}/never`, { method: kind.split(' ')[0] ?? '', ...init });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toMatchObject({ code: 'unavailable' });
});

test('a response that is ready too late is not sent after the refusal', async () => {
  const response = await fetch(`${url}/held`);
  expect(response.status).toBe(503);
  work.resolve({ done: true });
  const again = await fetch(`${url}/held`);
  expect([again.status, await again.json()]).toEqual([200, { done: true }]);
});

test('a call may allow itself more', async () => {
  const patient = fetch(`${url}/patient`);
  // Asked for at the same time: by its refusal the usual limit has passed.
  expect((await fetch(`${url}/never`)).status).toBe(503);
  work.resolve({ done: true });
  expect((await patient).status).toBe(200);
});

test('a body may take longer to arrive than the response to it', async () => {
  const body = new TransformStream<string, string>();
  const writer = body.writable.getWriter();
  const echo = fetch(`${url}/echo`, {
    method: 'POST',
    headers: json,
    body: body.readable.pipeThrough(new TextEncoderStream()),
    duplex: 'half',
  });
  await writer.write('{"a":');
  // Asked for later: by its refusal the usual limit has passed.
  expect((await fetch(`${url}/never`)).status).toBe(503);
  await writer.write('1}');
  await writer.close();
  expect(await (await echo).json()).toEqual({ a: 1 });
});

test('a request that was refused before its body arrived is not carried out', async () => {
  const echoed = vi.fn<() => void>();
  const refused = Promise.withResolvers<string>();
  const late = fastify();
  limitTime(late);
  late.addHook('onError', async (_request, _reply, error) => refused.resolve(error.code));
  late.post('/echo', echoed);
  const accepted = once(late.server, 'connection');
  const arrived = once(late.server, 'request');
  const port = Number(new URL(await late.listen({ port: 0, host: '127.0.0.1' })).port);
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n');
  client.write('Content-Length: 2\r\n\r\n{');
  const [socket] = (await accepted) as [Socket];
  await arrived;
  socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n');
  client.write('}');
  expect(await refused.promise).toBe('invalid_input');
  expect(echoed).not.toHaveBeenCalled();
  client.destroy();
  await late.close();
});

test('half a response is cut off rather than left hanging', async () => {
  const response = await fetch(`${url}/half`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow(/terminated/);
});
