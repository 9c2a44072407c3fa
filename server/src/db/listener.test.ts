import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import { startFaultProxy } from '../../test/fault-proxy.ts';
import { createClosers } from '../background-task.ts';
import { listenUntil } from './listener.ts';

const closers = createClosers();
afterEach(() => closers.closeAll());

test('a connection that froze is noticed, and replaced', { timeout: 60_000 }, async () => {
  const database = await createTestDatabase('server');
  closers.add(() => database.drop());
  const url = new URL(database.connectionString);
  const proxy = await startFaultProxy(Number(url.port));
  closers.add(() => proxy.close());
  const direct = new Client({ connectionString: url.href });
  await direct.connect();
  closers.add(() => direct.end());
  url.port = String(proxy.port);

  const stop = new AbortController();
  const heard: string[] = [];
  const errors: unknown[] = [];
  const listening = listenUntil(stop.signal, {
    connection: { connectionString: url.href, query_timeout: 500 },
    name: 'listener',
    channels: ['news'],
    onNotification: (channel, payload) => heard.push(`${channel} ${payload}`),
    onError: (error) => {
      errors.push(error);
      proxy.fault = {};
    },
    askMs: 10,
  });
  closers.add(async () => {
    stop.abort();
    await listening;
  });
  await expect.poll(() => heard).toEqual([' ']);

  // Neither side hears that the line is gone.
  proxy.fault = { silent: true };
  await expect.poll(() => errors, { timeout: 30_000 }).toHaveLength(1);
  await expect.poll(() => heard, { timeout: 30_000 }).toEqual([' ', ' ']);
  await direct.query(`notify news, 'again'`);
  await expect.poll(() => heard).toContain('news again');
});
