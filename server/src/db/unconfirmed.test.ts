import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { makeScratchFolder } from '../../test/cluster/scratch-folder.ts';
import { startTcpServer } from '../../test/cluster/tcp-server.ts';
import { createClosers } from '../background-task.ts';
import { openDatabase } from './database.ts';
import { DatabaseUnavailable } from './errors.ts';
import { sql } from './sql.ts';

const insert = (text: string) => sql`insert into notes values (${text})`;

const closers = createClosers();
afterEach(() => closers.closeAll());

test('a commit whose wait for a standby was ended counts as unknown, alone and in a transaction', async () => {
  const scratch = await makeScratchFolder();
  closers.add(() => rm(scratch, { recursive: true, force: true }));
  const folder = join(scratch, 'server');
  const postgres = await startTcpServer(folder, {});
  closers.add(() => postgres.stop());
  const url = new URL(postgres.connectionString);
  const maker = new Client({ connectionString: url.href });
  await maker.connect();
  await maker.query('create database notes');
  await maker.end();
  url.pathname = '/notes';
  await postgres.stop();
  // No standby of that name ever confirms anything.
  const setting = `synchronous_standby_names = 'absent'\n`;
  await appendFile(join(folder, 'data', 'postgresql.conf'), setting);
  await postgres.startAgain();

  const watching = new Client({ connectionString: url.href });
  await watching.connect();
  closers.add(() => watching.end());
  await watching.query('set synchronous_commit = local; create table notes (text text)');
  const db = openDatabase({ connectionString: url.href }, { onError: () => {} });
  closers.add(() => db.close());

  const endWaits = () =>
    watching.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    );
  for (const write of [
    () => db.execute(insert('alone')),
    () => db.transaction((tx) => tx.execute(insert('in a transaction'))),
  ]) {
    const writing = write().then(
      () => null,
      (error: unknown) => error,
    );
    await expect.poll(async () => (await endWaits()).rowCount).toBe(1);
    expect(await writing).toBeInstanceOf(DatabaseUnavailable);
  }
  expect(await db.one(sql`select count(*)::integer as notes from notes`)).toEqual({ notes: 2 });
});
