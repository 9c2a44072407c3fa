import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { healthRoutes } from './health.ts';
import type { NotReadyReason } from './health.ts';

/** The queries so far, whose results the test decides. */
let asked: PromiseWithResolvers<NotReadyReason | null>[];
let arrived: number;
let app: FastifyInstance;

beforeEach(() => {
  asked = [];
  arrived = 0;
  app = fastify();
  app.addHook('onRequest', async () => void (arrived += 1));
  healthRoutes(app, () => {
    const question = Promise.withResolvers<NotReadyReason | null>();
    asked.push(question);
    return question.promise;
  });
});
afterEach(() => app.close());

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

/** Begins so many requests, and comes back when all of them wait for a response. */
async function begin(count: number): Promise<{ statuses: Promise<string[]> }> {
  const before = arrived;
  const responses = Promise.all(Array.from({ length: count }, () => app.inject('/readyz')));
  await until(() => arrived === before + count);
  await new Promise(setImmediate);
  return { statuses: responses.then((all) => all.map(({ body }) => JSON.parse(body).status)) };
}

test('requests that arrive during a readiness query share its result; the next one queries again', async () => {
  const first = await begin(5);
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(null);
  expect(await first.statuses).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);

  const second = await begin(2);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve('disk_full');
  expect(await second.statuses).toEqual(['unavailable', 'unavailable']);
});

test('a failed query is reported to all that share it, and not to the next one', async () => {
  const first = await begin(2);
  asked[0]?.reject(new Error('gone'));
  expect(await first.statuses).toEqual(['unavailable', 'unavailable']);

  const second = await begin(1);
  asked[1]?.resolve(null);
  expect(await second.statuses).toEqual(['ok']);
});

test('the response names the reason and when to retry, and nothing else', async () => {
  const response = app.inject('/readyz');
  await until(() => asked.length === 1);
  asked[0]?.resolve('read_only');
  expect((await response).statusCode).toBe(503);
  expect((await response).headers['retry-after']).toBe('2');
  expect((await response).json()).toEqual({ status: 'unavailable', reason: 'read_only' });

  const next = app.inject('/readyz');
  await until(() => asked.length === 2);
  asked[1]?.reject(new Error('password authentication failed for user "meridian"'));
  expect((await next).json()).toEqual({ status: 'unavailable', reason: 'database' });
});
