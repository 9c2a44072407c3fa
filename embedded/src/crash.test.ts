import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { SUPERUSER } from './cluster.ts';
import type { EmbeddedDatabase } from './index.ts';
import { startOwner } from './testing/owner.ts';
import { clusterFolder, isRoot, query, scratchDatabases } from './testing/scratch-databases.ts';

const scratch = scratchDatabases();
beforeEach(() => scratch.prepare());

async function storedUpTo(database: EmbeddedDatabase, last: number): Promise<number | undefined> {
  const [row] = await query<{ stored: number }>(
    database,
    `select count(*)::int as stored from acknowledged where n <= ${last}`,
  );
  return row?.stored;
}

test('kill -9 of the owner: the next server starts at once and has every acknowledged row', async () => {
  for (let round = 1; round <= 3; round++) {
    const owner = startOwner(scratch.dataDir);
    await owner.rows(50 * round);
    const acknowledged = await owner.kill();
    const next = await scratch.open();
    expect(next.role).toBe('owner');
    expect(await storedUpTo(next, acknowledged)).toBe(acknowledged);
    await next.stop();
  }
  expect(scratch.notices).toEqual([]);
});

test('kill -9 of the owner and PostgreSQL at once needs no repair either', async () => {
  const owner = startOwner(scratch.dataDir);
  await owner.rows(50);
  const acknowledged = await owner.kill({ withPostgres: true });
  const next = await scratch.open();
  expect(await storedUpTo(next, acknowledged)).toBe(acknowledged);
});

test('a PostgreSQL that cannot stop when its owner is killed, as on a full disk, is made to', async () => {
  const owner = startOwner(scratch.dataDir);
  await owner.rows(50);
  const guest = await scratch.open({ purpose: 'tool' });
  // It is hidden from the application's role.
  const [checkpointer] = await query<{ pid: number }>(
    { connection: { ...guest.connection, user: SUPERUSER } },
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  if (!checkpointer) throw new Error('There is no checkpointer.');
  process.kill(checkpointer.pid, 'SIGSTOP');
  const acknowledged = await owner.kill();
  const next = await scratch.open();
  expect(await storedUpTo(next, acknowledged)).toBe(acknowledged);
});

test('a living owner is never mistaken for a dead one', async () => {
  const owner = startOwner(scratch.dataDir);
  try {
    await owner.rows(1);
    await expect(scratch.open()).rejects.toThrow(
      `in use by another Meridian server (process ${owner.pid}).`,
    );
  } finally {
    await owner.kill();
  }
});

test('PostgreSQL that dies alone is started again', async () => {
  const runsAgain = Promise.withResolvers<void>();
  const database = await scratch.open({
    onNotice: (message) => {
      if (message.includes('runs again')) runsAgain.resolve();
    },
  });
  const before = database.pid;
  process.kill(before, 'SIGKILL');
  await runsAgain.promise;
  expect(database.pid).not.toBe(before);
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the number of a dead PostgreSQL given to another process does not block the start', async () => {
  const folder = clusterFolder(scratch.dataDir);
  const first = await scratch.open();
  const { uid, gid } = await stat(folder);
  await first.stop();
  // The other process runs under the database's account, as PostgreSQL would otherwise ignore it.
  const unrelated = spawn('/bin/sh', ['-c', 'read -r _'], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    ...(isRoot ? { uid, gid } : {}),
  });
  try {
    const pidFile = join(folder, 'postmaster.pid');
    await writeFile(pidFile, `${unrelated.pid}\n${folder}\n1\n5432\n/\n\n\nready\n`);
    expect((await scratch.open()).role).toBe('owner');
    expect(await readFile(pidFile, 'utf8')).not.toMatch(new RegExp(`^${unrelated.pid}\n`));
  } finally {
    unrelated.stdin.end();
  }
});
