import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { limitInFlight } from './admission.plugin.ts';
import { answerErrors } from './errors.plugin.ts';

test('refuses at once what is over the limit, and takes more when something is done', async () => {
  const app = fastify();
  answerErrors(app);
  const work = Promise.withResolvers<void>();
  const started: string[] = [];
  await app.register(async (scope) => {
    limitInFlight(scope, 2);
    scope.get('/work', async () => {
      started.push('one');
      await work.promise;
      return { done: true };
    });
  });
  app.get('/free', () => ({ done: true }));

  const accepted = [app.inject('/work'), app.inject('/work')];
  while (started.length < 2) await new Promise(setImmediate);
  const refused = await app.inject('/work');
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('2');
  expect(refused.json().code).toBe('unavailable');
  expect((await app.inject('/free')).statusCode).toBe(200);

  work.resolve();
  for (const answer of await Promise.all(accepted)) expect(answer.statusCode).toBe(200);
  expect((await app.inject('/work')).statusCode).toBe(200);
  await app.close();
});
