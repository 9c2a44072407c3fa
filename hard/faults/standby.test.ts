import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { makeScratchFolder } from '../../server/test/cluster/scratch-folder.ts';
import { startTcpServer } from '../../server/test/cluster/tcp-server.ts';
import { ServerProcess, failedStart, makeDataDir } from '../../server/test/process.ts';

const closers = createClosers();
afterEach(() => closers.closeAll());

/** Longer than the ten seconds between two checks, on a slow machine too. */
const NOTICED = { timeout: 60_000, interval: 100 };

test('a primary that becomes a standby is not ready, and no server starts on it', async () => {
  const scratch = await makeScratchFolder();
  closers.add(() => rm(scratch, { recursive: true, force: true }));
  const folder = join(scratch, 'server');
  const postgres = await startTcpServer(folder, {});
  closers.add(() => postgres.stop());
  const url = new URL(postgres.connectionString);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await client.query('create database meridian');
  await client.end();
  url.pathname = '/meridian';
  const env = { DATABASE_URL: url.href };

  const server = await ServerProcess.start({ ...env, DATA_DIR: await makeDataDir(closers) });
  closers.add(async () => void (await server.stop()));
  const readyz = async () => {
    const answer = await fetch(new URL('/readyz', server.url));
    return [answer.status, await answer.json()];
  };
  expect(await readyz()).toEqual([200, { status: 'ok' }]);

  // PostgreSQL starts as a standby where this file is, and serves reads.
  const signal = join(folder, 'data', 'standby.signal');
  await postgres.stop();
  await writeFile(signal, '', { mode: 0o644 });
  await postgres.startAgain();
  await expect.poll(readyz, NOTICED).toEqual([503, { status: 'unavailable', reason: 'read_only' }]);
  expect(await failedStart({ ...env, DATA_DIR: await makeDataDir(closers) })).toEqual({
    code: 1,
    stderr: `Cannot use the database at ${url.host}: it is a standby and cannot be written; set DATABASE_URL to the primary server.\n`,
  });

  await postgres.stop();
  await rm(signal);
  await postgres.startAgain();
  await expect.poll(readyz, NOTICED).toEqual([200, { status: 'ok' }]);
});
