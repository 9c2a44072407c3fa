import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseRunAs, credentials, makePrivate } from '@meridian/embedded-postgres/folders';
import { afterEach, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { makeScratchFolder } from '../../server/test/cluster/scratch-folder.ts';
import { freePort } from '../../server/test/cluster/tcp-server.ts';
import { createEmptyDatabase, relationsIn } from '../../server/test/empty-database.ts';
import type { EmptyDatabase } from '../../server/test/empty-database.ts';
import { ServerProcess, failedStart, makeDataDir } from '../../server/test/process.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';

const closers = createClosers();
afterEach(() => closers.closeAll());

/** PgBouncer as it comes, but for what it has to be told. Returns the address of the database behind it. */
async function pooled({ url }: EmptyDatabase, poolMode: string): Promise<string> {
  const folder = await makeScratchFolder();
  closers.add(() => rm(folder, { recursive: true, force: true }));
  const address = new URL(url);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const database = `host=${address.hostname} port=${address.port} user=${address.username} password=${address.password}`;
  await writeFile(
    file,
    `[databases]\n* = ${database}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${poolMode}\n`,
  );
  // It runs as no superuser of the machine either.
  const runAs = await chooseRunAs();
  await makePrivate(folder, runAs);
  await chmod(file, 0o644);
  const child = spawn(PGBOUNCER, [file], {
    ...credentials(runAs),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  closers.add(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  await expect.poll(() => said, { timeout: 30_000 }).toContain('process up');
  address.port = String(port);
  return address.href;
}

const start = async (url: string) => ({
  DATABASE_URL: url,
  DATA_DIR: await makeDataDir(closers),
});

test.skipIf(!existsSync(PGBOUNCER))(
  'a pooler per transaction is refused before anything is locked, and one per session serves',
  async () => {
    const database = await createEmptyDatabase('server');
    closers.add(() => database.drop());
    const perTransaction = await pooled(database, 'transaction');
    expect(await failedStart(await start(perTransaction))).toEqual({
      code: 1,
      stderr: `Cannot use the database at ${new URL(perTransaction).host}: a connection pooler in front of it gives a session to several connections (transaction pooling); set pool_mode = session there, or set DATABASE_URL to the database itself.\n`,
    });
    expect(await relationsIn(database)).toEqual([]);
    const server = await ServerProcess.start(await start(await pooled(database, 'session')));
    expect((await fetch(new URL('/readyz', server.url))).status).toBe(200);
    await server.token();
    expect(await server.stop()).toBe(0);
    // Nothing was left locked for the next start.
    const direct = await ServerProcess.start(await start(database.url));
    expect(await direct.stop()).toBe(0);
  },
);
