import { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { judge } from '../figures.ts';
import { openStage } from './stage.ts';

/** The long run watches longer. */
const SECONDS = Number(process.env['IDLE_SECONDS'] ?? 5);

test('an idle engine makes at most one query a second', async () => {
  const stage = await openStage('server');
  onTestFinished(() => stage.close());
  const { stream, countQueries } = watchedSockets();
  await stage.startEngine(createLocalNetwork(stage.db), {}, { stream });

  const before = { queries: countQueries(), at: performance.now() };
  const secondsSince = () => (performance.now() - before.at) / 1000;
  await expect
    .poll(secondsSince, { interval: 100, timeout: 90_000 + SECONDS * 1000 })
    .toBeGreaterThan(SECONDS);
  const [queries, seconds] = [countQueries() - before.queries, secondsSince()];
  judge({
    goal: 'An idle engine: at most one query a second',
    measured: (queries / seconds).toFixed(2),
    isMet: queries <= seconds,
  });
  expect(queries).toBeGreaterThan(0);
  // One more or less falls into the interval.
  expect(queries).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
});

/**
 * Connections whose queries are counted where the driver sends them: the database's own statistics
 * would count what autovacuum does as well.
 */
function watchedSockets() {
  const writes: { mock: { calls: unknown[][] } }[] = [];
  return {
    stream: () => {
      const socket = new Socket();
      // Connecting resets the method.
      socket.once('connect', () => writes.push(vi.spyOn(socket, 'write')));
      return socket;
    },
    countQueries: () =>
      writes.flatMap(({ mock }) => mock.calls).filter(([message]) => isQuery(message)).length,
  };
}

/** Of PostgreSQL's protocol: a simple query, or the execution of a prepared one. */
function isQuery(message: unknown): boolean {
  return Buffer.isBuffer(message) && ['Q', 'E'].includes(message.toString('latin1', 0, 1));
}
