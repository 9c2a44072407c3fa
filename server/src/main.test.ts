import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../test/cluster/test-database.ts';
import type { TestDatabase } from '../test/cluster/test-database.ts';
import { COMPILED_ONCE } from '../test/compiled-once.ts';
import { makeDataDir } from '../test/process.ts';
import { refusalOf } from '../test/refused-start.ts';
import { begun, untilWaiting, whileLocked } from '../test/queue-up.ts';
import { sql } from './db/sql.ts';
import { openPatient } from '../test/patient.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

type Process = ChildProcessByStdio<null, Readable, Readable>;

describe('the process', () => {
  let database: TestDatabase;
  let dataDir: string;
  const children: Process[] = [];
  beforeEach(async () => {
    database = await createTestDatabase('server');
    dataDir = await mkdtemp(join(tmpdir(), 'meridian-main-'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  function run(env: Record<string, string> = {}): Process {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        ...COMPILED_ONCE,
        DATA_DIR: dataDir,
        DATABASE_URL: database.connectionString,
        PORT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  }

  /** Its output until it is ready. */
  async function untilReady(child: Process): Promise<{ said: string; address: string }> {
    let said = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      said += String(chunk);
      if (said.includes('└')) break;
    }
    return { said, address: /Address +(\S+)/.exec(said)?.[1] ?? said };
  }

  /** How it fails: exit code and all of standard error. */
  async function failure(child: Process) {
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code: code as number, stderr };
  }

  test('stopped during its first start, it ends without an error', async () => {
    const folder = await makeDataDir();
    const child = spawn(process.execPath, [MAIN], {
      env: { ...COMPILED_ONCE, DATA_DIR: folder, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const ended = failure(child);
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      if (String(chunk).includes('filling the database')) break;
    }
    child.kill('SIGINT');
    expect(await ended).toEqual({ code: 0, stderr: '' });
    await rm(folder, { recursive: true, force: true });
  });

  test('starts, serves, stops with a signal and starts again', async () => {
    const first = run();
    const { said, address } = await untilReady(first);
    expect(said).toContain(`in ${dataDir}/initial-admin-password`);
    const password = (await readFile(join(dataDir, 'initial-admin-password'), 'utf8')).trim();
    expect(said).not.toContain(password);
    const login = await fetch(`${address}/api/admin/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    });
    const { token } = (await login.json()) as { token: string };
    expect(token).toMatch(/^adm_/);
    first.kill('SIGTERM');
    expect(await once(first, 'exit')).toEqual([0, null]);

    const second = run();
    const again = await untilReady(second);
    const me = await fetch(`${again.address}/api/admin/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await me.json()).toMatchObject({ username: 'admin' });
    second.kill('SIGINT');
    expect(await once(second, 'exit')).toEqual([0, null]);
  });

  test('finishes a running request before it stops', async () => {
    const child = run({ LOG_LEVEL: 'silent' });
    const { address } = await untilReady(child);
    const { connectionString } = database;
    const db = openPatient({ connectionString }, 2);
    const running: Promise<Response>[] = [];
    await whileLocked(db, sql`lock table admins in access exclusive mode`, async () => {
      running.push(
        begun(() =>
          fetch(`${address}/api/admin/auth/login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ username: 'unknown', password: 'nothing' }),
          }),
        ),
      );
      // The request is running when it waits for the lock.
      await untilWaiting(db, 1);
      child.kill('SIGTERM');
      await expect(async () => {
        // Refused once the server accepts no connections.
        for (;;) await fetch(`${address}/healthz`);
      }).rejects.toThrow('fetch failed');
    });
    expect((await running[0])?.status).toBe(401);
    await db.close();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('stops at once on a second signal', async () => {
    const child = run({ LOG_LEVEL: 'silent' });
    const { address } = await untilReady(child);
    const half = new AbortController();
    const endless = new ReadableStream({ start: (c) => c.enqueue(Buffer.from('{')) });
    const running = fetch(`${address}/api/admin/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
      signal: half.signal,
    }).catch(() => null);
    await fetch(`${address}/healthz`);
    child.kill('SIGINT');
    await once(child.stdout, 'data');
    // Those of the first moment are the same signal, passed on by npm.
    const exitCode = () => {
      child.kill('SIGINT');
      return child.exitCode;
    };
    await expect.poll(exitCode).toBe(130);
    half.abort();
    await running;
  });

  test('says in one sentence that the schema is newer', async () => {
    const client = new Client({ connectionString: database.connectionString });
    await client.connect();
    await client.query("insert into schema_migrations values (9999, 'future', 'x')");
    await client.end();
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.connectionString };
    expect(await refusalOf(env)).toMatch(
      /^The database schema is newer than this version of Meridian\. .+\n$/,
    );
  });

  test('says in one sentence what is wrong with PORT, and ends', async () => {
    const stderr = 'PORT must be a whole number from 0 to 65535, not "http".\n';
    expect(await failure(run({ PORT: 'http' }))).toEqual({ code: 1, stderr });
  });

  test.each([
    [
      'DATABASE_URL',
      'postgres://a:hunter2@127.0.0.1:1/b',
      'Cannot reach the database at 127.0.0.1:1 (ECONNREFUSED); check DATABASE_URL.\n',
    ],
    [
      'ADMIN_PASSWORD',
      'changeme',
      'ADMIN_PASSWORD cannot be used. This password is too easy to guess. Avoid common passwords, your own name and the name of this service.\n',
    ],
    [
      'OBJECT_STORE_URL',
      's3://bucket',
      'OBJECT_STORE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.\n',
    ],
  ])('says in one sentence what is wrong with %s', async (name, value, sentence) => {
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.connectionString };
    expect(await refusalOf({ ...env, [name]: value })).toBe(sentence);
  });
});
