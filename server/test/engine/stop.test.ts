import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { Network } from '../../src/network/network.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { COMPILED_ONCE } from '../compiled-once.ts';
import { makeDataDir } from '../process.ts';
import { openStage } from './stage.ts';
import type { Stage } from './stage.ts';

const MAIN = join(import.meta.dirname, '../../src/engine-main.ts');
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
