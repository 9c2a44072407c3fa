import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { healthRoutes } from './health.plugin.ts';
import type { NotReadyReason } from './health.plugin.ts';

/** The questions asked so far, whose answers the test decides. */
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

/** Begins so many requests, and comes back when all of them wait for an answer. */
async function begin(count: number): Promise<{ answers: Promise<string[]> }> {
  const before = arrived;
  const answers = Promise.all(Array.from({ length: count }, () => app.inject('/readyz')));
  await until(() => arrived === before + count);
  await new Promise(setImmediate);
  return { answers: answers.then((all) => all.map(({ body }) => JSON.parse(body).status)) };
}

test('those who come while readiness is asked for share the answer; the next ask anew', async () => {
  const first = await begin(5);
  expect(asked).toHaveLength(1);
  asked[0]?.resolve(null);
  expect(await first.answers).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);

  const second = await begin(2);
  expect(asked).toHaveLength(2);
  asked[1]?.resolve('disk_full');
  expect(await second.answers).toEqual(['unavailable', 'unavailable']);
});

test('a question that failed is answered for all, and is no answer to the next', async () => {
  const first = await begin(2);
  asked[0]?.reject(new Error('gone'));
  expect(await first.answers).toEqual(['unavailable', 'unavailable']);

  const second = await begin(1);
  asked[1]?.resolve(null);
  expect(await second.answers).toEqual(['ok']);
});

test('the answer names the reason and when to ask again, and nothing else', async () => {
  const answer = app.inject('/readyz');
  await until(() => asked.length === 1);
  asked[0]?.resolve('read_only');
  expect((await answer).statusCode).toBe(503);
  expect((await answer).headers['retry-after']).toBe('2');
  expect((await answer).json()).toEqual({ status: 'unavailable', reason: 'read_only' });

  const next = app.inject('/readyz');
  await until(() => asked.length === 2);
  asked[1]?.reject(new Error('password authentication failed for user "meridian"'));
  expect((await next).json()).toEqual({ status: 'unavailable', reason: 'database' });
});
