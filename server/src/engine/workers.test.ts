import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { COMPILED_ONCE } from '../../test/compiled-once.ts';
import { judge } from '../../test/figures.ts';
import { openPatient } from '../../test/patient.ts';
import { makeDataDir } from '../../test/process.ts';
import { sql } from '../db/sql.ts';
import { createLocalNetwork } from '../network/local/local-network.ts';
import type { Network } from '../network/network.ts';
import { insertDuePosts } from './testing/due-posts.ts';
import { responded } from './testing/responses.ts';
import { httpNetwork, openStage } from './testing/stage.ts';
import type { Stage } from './testing/stage.ts';

const WORKERS = 4;
const USERS = 40;
const POSTS = 150;
const DUE_WITHIN_MS = 3_000;
/** Little more than a worker looks ahead, and less than most posts wait for their time and their host. */
const LEASE_MS = 2_000;

test('posts that wait for longer than a lease stay with the worker that has them', async () => {
  const stage = await openStage('server');
  onTestFinished(() => stage.close());
  const host = await stage.startHost({ delayMs: 150 });
  for (let user = 0; user < USERS; user += 1) await stage.addUser(host.url);
  await insertDuePosts(stage.db, POSTS, DUE_WITHIN_MS);
  const options = { leaseMs: LEASE_MS, hostConcurrency: 2 };
  const starting = Array.from({ length: WORKERS }, () =>
    stage.startEngine(httpNetwork([host]), options),
  );
  const workers = await Promise.all(starting);
  await stage.untilOpen(0);
  const fenced = await Promise.all(workers.map(({ metrics }) => metrics.fenced.get()));
  const lost = fenced.flatMap(({ values }) => values).reduce((sum, { value }) => sum + value, 0);
  const posts = await stage.readPosts();
  expect(posts.filter(({ status }) => status !== 'COMPLETED')).toEqual([]);
  expect(host.report().duplicates).toEqual([]);
  // Some may be, where a machine is too slow to renew them in time.
  expect(lost).toBeLessThan(POSTS / 10);
});

const MAIN = join(import.meta.dirname, '../engine-main.ts');
const HOUR_MS = 3_600_000;

describe('a clean stop', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('server');
  });
  afterEach(() => stage.close());

  const statuses = async () => (await stage.readPosts()).map(({ status }) => status);
  const countOf = async (status: string) =>
    (await statuses()).filter((one) => one === status).length;
  const recordsOf = () =>
    stage.db.many<{ text: string }>(sql`select record ->> 'text' as text from local_records`);

  /** Every post has one record, and no record is without its post. */
  async function expectOnce(): Promise<void> {
    const texts = (await recordsOf()).map(({ text }) => text);
    const posts = await stage.readPosts();
    expect(texts.toSorted()).toEqual(posts.map(({ id }) => id).toSorted());
    expect(new Set(posts.map(({ status }) => status))).toEqual(new Set(['COMPLETED']));
  }

  test('finishes the calls on the wire and gives everything else back', async () => {
    const local = createLocalNetwork(stage.db);
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const gated: Network = {
      ...local,
      async putRecord(account, write) {
        calls += 1;
        await gate.promise;
        return local.putRecord(account, write);
      },
    };
    const users = await Promise.all(Array.from({ length: 8 }, () => stage.addUser(null)));
    const engine = await stage.startEngine(gated, {
      concurrency: 3,
      lookaheadMs: HOUR_MS,
      leaseMs: 2 * HOUR_MS,
    });
    // Three on the wire, three waiting for a slot, two waiting for their time.
    await Promise.all(users.map((user, index) => stage.addPost(user, index < 6 ? 0 : HOUR_MS / 2)));
    await expect.poll(() => calls).toBe(3);
    await expect.poll(() => countOf('PROCESSING')).toBe(8);
    await expect
      .poll(() => stage.db.one(sql`select count(*)::integer as n from deliveries`))
      .toEqual({ n: 8 });

    const stopped = engine.stop();
    await expect.poll(() => countOf('PENDING')).toBe(5);
    expect(await countOf('PROCESSING')).toBe(3);
    gate.resolve();
    await stopped;
    expect(calls).toBe(3);
    expect((await statuses()).toSorted()).toEqual([
      ...Array<string>(3).fill('COMPLETED'),
      ...Array<string>(5).fill('PENDING'),
    ]);
    const left = await stage.db.one(sql`
      select (select count(*)::integer from deliveries) as journalled,
        (select count(*)::integer from engine_workers) as workers`);
    expect(left).toEqual({ journalled: 3, workers: 0 });

    await stage.db.execute(sql`update posts set scheduled_at = now() where status = 'PENDING'`);
    await stage.startEngine(local);
    await stage.untilOpen(0);
    await expectOnce();
  });

  async function startProcess(dataDir: string) {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env['PATH'],
        ...COMPILED_ONCE,
        DATABASE_URL: stage.connectionString,
        DATA_DIR: dataDir,
        NETWORK: 'local',
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close');
    const stop = async (...signals: NodeJS.Signals[]) => {
      for (const signal of signals) child.kill(signal);
      await ended;
      return child.exitCode;
    };
    stage.closeAtEnd(async () => void (await stop('SIGTERM')));
    await expect.poll(() => output).toContain('The engine publishes to the local network');
    expect(output).toContain(`Pictures are read from ${join(dataDir, 'objects')}`);
    return { stop };
  }

  test('of a process of its own, in the middle of a stream', async () => {
    const dataDir = await makeDataDir();
    stage.closeAtEnd(() => rm(dataDir, { recursive: true, force: true }));
    const first = await startProcess(dataDir);
    const users = await Promise.all(Array.from({ length: 60 }, () => stage.addUser(null)));
    await Promise.all(users.map((user, index) => stage.addPost(user, index * 50)));
    await expect.poll(() => countOf('COMPLETED')).toBeGreaterThan(5);
    // From a supervisor that signals all processes of a service, and once more from npm.
    expect(await first.stop('SIGTERM', 'SIGINT')).toBe(0);
    expect(await countOf('PROCESSING')).toBe(0);
    const done = await countOf('COMPLETED');
    expect(await recordsOf()).toHaveLength(done);

    const second = await startProcess(dataDir);
    await stage.untilOpen(0);
    expect(await second.stop('SIGTERM')).toBe(0);
    await expectOnce();
  });
});

describe('locks', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('server');
  });
  afterEach(() => stage.close());

  /** More than a worker has connections. */
  const DECIDED = 20;
  const FOREVER = { lock_timeout: 0, statement_timeout: 0, query_timeout: 0 };

  test('decided posts that a transaction has locked keep no other post waiting', async () => {
    const { db } = stage;
    const network = createLocalNetwork(db);
    // A repository is asked by one call at a time.
    for (let at = 0; at < DECIDED; at += 1)
      await stage.addPost(await stage.addUser(null), 3_600_000);
    // Cancelled 15 seconds ago while a worker had them, which died.
    await db.execute(sql`
    insert into deliveries (post_id, user_id, did, host, writes)
    select p.id, u.id, u.did, 'local',
      json_build_array(json_build_object('rkey', '3l' || substr(md5(p.id::text), 1, 11), 'cid', 'b', 'record', '{}'::json))
    from posts p join users u on u.id = p.user_id`);
    await db.execute(sql`update posts set status = 'CANCELLED', attempt = 1, claim_at = now()`);

    const asked = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    let questions = 0;
    await stage.startEngine(
      {
        ...network,
        async getRecord(...about) {
          questions += 1;
          if (questions === DECIDED) asked.resolve();
          await locked.promise;
          return network.getRecord(...about);
        },
      },
      {},
      FOREVER,
    );
    await asked.promise;
    const writer = openPatient({ connectionString: stage.connectionString, ...FOREVER }, 1);
    stage.closeAtEnd(() => writer.close());
    await writer.transaction(async (tx) => {
      await tx.execute(sql`update posts set content = 'edited' where status = 'CANCELLED'`);
      locked.resolve();
      const due = await stage.addPost(await stage.addUser(null), 0);
      const status = () => db.one(sql`select status from posts where id = ${due}`);
      await expect.poll(status, { timeout: 30_000 }).toEqual({ status: 'COMPLETED' });
    });
  });

  test('accounts that a transaction has locked keep no other post waiting', async () => {
    const { db } = stage;
    const network = createLocalNetwork(db);
    for (let at = 0; at < DECIDED; at += 1) await stage.addPost(await stage.addUser('local'), 0);
    const refused = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    let calls = 0;
    await stage.startEngine(
      {
        ...network,
        async putRecord(account, write) {
          calls += 1;
          if (calls > DECIDED) return network.putRecord(account, write);
          if (calls === DECIDED) refused.resolve();
          await locked.promise;
          return responded(401, 'AuthMissing');
        },
      },
      {},
      FOREVER,
    );
    await refused.promise;
    const writer = openPatient({ connectionString: stage.connectionString, ...FOREVER }, 1);
    stage.closeAtEnd(() => writer.close());
    await writer.transaction(async (tx) => {
      await tx.execute(sql`update accounts set host = 'elsewhere'`);
      locked.resolve();
      const due = await stage.addPost(await stage.addUser(null), 0);
      const status = () => db.one(sql`select status from posts where id = ${due}`);
      await expect.poll(status, { timeout: 30_000 }).toEqual({ status: 'COMPLETED' });
    });
  });
});

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

describe('session refresh', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('server');
  });
  afterEach(() => stage.close());

  test('a suspension while a session is renewed is obeyed', async () => {
    const local = createLocalNetwork(stage.db);
    const [begun, renewed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let calls = 0;
    const engine = await stage.startEngine({
      ...local,
      async refreshSession() {
        begun.resolve();
        await renewed.promise;
      },
      putRecord(account, write) {
        calls += 1;
        return local.putRecord(account, write);
      },
    });
    await stage.addPost(await stage.addUser(null), 0);
    await begun.promise;
    await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
    await expect
      .poll(() => engine.metrics.registry.metrics())
      .toMatch(/^meridian_engine_switch_seconds_count 1$/m);
    renewed.resolve();
    const statuses = async () => (await stage.readPosts()).map(({ status }) => status);
    await expect.poll(statuses).toEqual(['PENDING']);
    expect(calls).toBe(0);

    await stage.db.execute(sql`update service_settings set is_service_suspended = false`);
    await stage.untilOpen(0);
    expect(calls).toBe(1);
  });
});
