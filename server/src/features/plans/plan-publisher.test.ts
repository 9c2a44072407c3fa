import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EITHER } from '../../../test/app.ts';
import { createTestDatabase } from '../../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../../test/cluster/test-database.ts';
import { insertCurrency, planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { openDatabase } from '../../db/database.ts';
import type { Database, Db } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import type { ObjectStore } from '../../objects/objects.ts';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import type { FakeS3 } from '../../objects/testing/fake-s3.ts';
import { s3StoreOn } from '../../objects/testing/stores.ts';
import { createPlanPublisher, INDEX_KEY, withPublishLock } from './plan-publisher.ts';
import type { PlanPublisherOptions } from './plan-publisher.ts';
import { createPlansService } from './plans.service.ts';
import { filesOfBucket, readIndex, readPlanFiles } from './testing/published-files.ts';
import { PATIENT } from '../../../test/patient.ts';

/** Published at once by as many processes, against as many edits. */
const PUBLISHES = 8;
const EDITS = 50;

describe.each(EITHER)('the publisher on %s', (engine) => {
  let database: TestDatabase;
  let db: Database;
  let fake: FakeS3;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    db = openDatabase(
      { connectionString: database.connectionString, ...PATIENT },
      { onError: rethrow },
    );
    fake = await startFakeS3();
    await insertCurrency(db, 'usd');
    const plans = createPlansService(db);
    for (const displayOrder of [1, 2, 3]) {
      await plans.create(HOST, planBody({ displayOrder, priceMonthly: { usd: 0 } }));
    }
  });
  afterAll(async () => {
    await fake.close();
    await db.close();
    await database.drop();
  });

  const connection = () => ({ connectionString: database.connectionString });
  /** As in another process: only the database and the bucket are shared. */
  const publisher = (options: Partial<PlanPublisherOptions> = {}) =>
    createPlanPublisher({
      db,
      connection: connection(),
      objects: s3StoreOn(fake),
      ...options,
    });
  /** All plans move together, so a mix of two states shows. */
  const moveAll = (step: number) =>
    db.transaction(async (tx: Db) => {
      await tx.execute(sql`update plans set display_order = ${step}`);
      await tx.execute(sql`update plan_prices set amount = ${step}`);
    });
  const waiters = async () => {
    const row = await db.one<{ n: number }>(sql`
      select count(*) as n from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`);
    return row.n;
  };

  const recorded = async () => {
    const row = await db.one<{ n: number }>(sql`
      select count(*) as n from audit_log where action = 'planPublish'`);
    return row.n;
  };

  /** The step that every file of the public revision is at; a mix of two fails the test. */
  const publicStep = async () => {
    const files = filesOfBucket(fake);
    const index = await readIndex(files);
    const plans = [...index.plans, ...(await readPlanFiles(files, index))];
    const steps = plans.flatMap(({ displayOrder, priceMonthly }) => [
      displayOrder,
      priceMonthly?.['usd'],
    ]);
    expect(steps).toHaveLength(12);
    expect(new Set(steps).size).toBe(1);
    return steps[0];
  };
  const indexWrites = () =>
    fake.seen.filter(({ method, key }) => method === 'PUT' && key === `site/${INDEX_KEY}`).length;

  it('lets one process publish after the other, each a committed state', async () => {
    await moveAll(0);
    fake.seen.length = 0;
    const edits = (async () => {
      for (let step = 1; step <= EDITS; step += 1) await moveAll(step);
    })();
    const publishes = Array.from({ length: PUBLISHES }, async () => {
      await publisher().publish(HOST);
      await publicStep();
    });
    await Promise.all([edits, ...publishes]);

    // Under the lock the uploads of one revision end before those of the next begin.
    const revisions = fake.seen
      .map(({ key }) => key.split('/')[2])
      .filter((part) => part !== 'index.json');
    const runs = revisions.filter((revision, index) => revision !== revisions[index - 1]);
    expect(runs).toHaveLength(PUBLISHES);
    expect(indexWrites()).toBe(PUBLISHES);
    await publisher().publish(HOST);
    expect(await publicStep()).toBe(EDITS);
  });

  it('publishes once for all requests that arrive during a publish', async () => {
    fake.seen.length = 0;
    const ours = publisher();
    const before = await recorded();
    const asked = await withPublishLock(connection(), async () => {
      const all = Array.from({ length: 10 }, () => ours.publish(HOST));
      await expect.poll(recorded).toBe(before + 10);
      return { all };
    });
    const results = await Promise.all(asked.all);
    expect(results.every(({ publishedCount }) => publishedCount === 3)).toBe(true);
    expect(indexWrites()).toBeLessThanOrEqual(2);
  });

  it('goes on when the process that holds the lock is killed', async () => {
    const lockModule = new URL('plan-publisher.ts', import.meta.url).href;
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { withPublishLock } = await import(${JSON.stringify(lockModule)});
       const connection = { connectionString: ${JSON.stringify(database.connectionString)} };
       await withPublishLock(connection, () => {
         process.stdout.write('held');
         return new Promise(() => {});
       });`,
    ]);
    await once(holder.stdout, 'data');
    const publishing = publisher().publish(HOST);
    await expect.poll(waiters).toBe(1);
    holder.kill('SIGKILL');
    expect((await publishing).publishedCount).toBe(3);
  });

  it.each(['refuses the index', 'hangs'] as const)(
    'leaves the public revision as it was when the store %s',
    async (failure) => {
      await moveAll(98);
      await publisher().publish(HOST);
      await moveAll(99);
      fake.fault = ({ key }) => {
        if (failure === 'hangs') return { kind: 'hang' };
        return key === `site/${INDEX_KEY}` ? { kind: 'status', status: 403 } : null;
      };
      const options = failure === 'hangs' ? { uploadTimeoutMs: 100 } : {};
      await expect(publisher(options).publish(HOST)).rejects.toMatchObject({
        code: 'publish_failed',
      });
      fake.fault = () => null;
      expect(await publicStep()).toBe(98);
    },
  );

  it('does not write the index once the connection that holds the lock is lost', async () => {
    await moveAll(98);
    await publisher().publish(HOST);
    await moveAll(99);
    const store = s3StoreOn(fake);
    const loseLock = async (signal: AbortSignal | undefined) => {
      await db.many(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'meridian publish'`);
      await expect.poll(() => signal?.aborted).toBe(true);
    };
    const objects: ObjectStore = {
      ...store,
      async put(key, bytes, options) {
        await store.put(key, bytes);
        await loseLock(options?.signal);
      },
    };
    await expect(publisher({ objects }).publish(HOST)).rejects.toMatchObject({
      code: 'publish_failed',
      status: 502,
      message: 'Failed to publish plans',
      cause: { message: 'The publish lock was lost' },
    });
    expect(await publicStep()).toBe(98);
    const { n } = await db.one<{ n: number }>(sql`
      select count(*) as n from audit_log where action = 'planPublishFailed'`);
    expect(n).toBeGreaterThan(0);
    await publisher().publish(HOST);
    expect(await publicStep()).toBe(99);
  });

  it('gives up when another process does not finish', async () => {
    await withPublishLock(connection(), async () => {
      await expect(publisher({ lockTimeoutMs: 50 }).publish(HOST)).rejects.toMatchObject({
        code: 'publish_failed',
        status: 502,
        message: 'Failed to publish plans',
      });
    });
    expect((await publisher({ lockTimeoutMs: 50 }).publish(HOST)).publishedCount).toBe(3);
  });

  it('holds no transaction open while it uploads', async () => {
    const store = s3StoreOn(fake);
    const open: number[] = [];
    const objects: ObjectStore = {
      ...store,
      async put(key, bytes, options) {
        const row = await db.one<{ n: number }>(sql`
          select count(*) as n from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`);
        open.push(row.n);
        await store.put(key, bytes, options);
      },
    };
    await publisher({ objects }).publish(HOST);
    // Three plans and the index.
    expect(open).toEqual([0, 0, 0, 0]);
  });

  it('says that the database is unavailable when it is', async () => {
    const nowhere = { host: '127.0.0.1', port: 1 };
    await expect(publisher({ connection: nowhere }).publish(HOST)).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
  });
});

function rethrow(error: Error): void {
  throw error;
}
