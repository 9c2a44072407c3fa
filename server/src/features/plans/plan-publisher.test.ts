import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/app.ts';
import { createTestDatabase } from '../../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../../test/cluster/test-database.ts';
import { insertCurrency, planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/author.ts';
import { openDatabase } from '../../db/database.ts';
import type { Database, Db } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { INDEX_KEY } from '../../objects/published-set.ts';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import type { FakeS3 } from '../../objects/testing/fake-s3.ts';
import { s3StoreOn } from '../../objects/testing/stores.ts';
import { createPlanPublisher } from './plan-publisher.ts';
import { createPlansService } from './plans.service.ts';
import { withPublishLock } from './publish-lock.ts';

const PUBLISHES = 8;
const EDITS = 50;

describe.each(ENGINES)('the publisher on %s', (engine) => {
  let database: TestDatabase;
  let db: Database;
  let fake: FakeS3;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    db = openDatabase({ connectionString: database.connectionString }, { onError: rethrow });
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
  /** What another process would have: everything of its own but the database and the bucket. */
  const publisher = (waitMs?: number) =>
    createPlanPublisher({
      db,
      connection: connection(),
      objects: s3StoreOn(fake),
      ...(waitMs !== undefined && { waitMs }),
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

  it('lets one process publish after the other, each a committed state', async () => {
    await moveAll(0);
    fake.seen.length = 0;
    const states: Set<number>[] = [];
    fake.fault = ({ method, key }) => {
      if (method === 'GET' && key === `site/${INDEX_KEY}`) states.push(stepsIn(fake));
      return null;
    };
    const edits = (async () => {
      for (let step = 1; step <= EDITS; step += 1) await moveAll(step);
    })();
    const publishes = Array.from({ length: PUBLISHES }, () => publisher().publish(HOST));
    await Promise.all([edits, ...publishes]);
    fake.fault = () => null;
    states.push(stepsIn(fake));

    // Every publish begins by reading the index and ends the reign of the old one by writing it.
    const steps = fake.seen
      .filter(({ key }) => key === `site/${INDEX_KEY}`)
      .map(({ method }) => method);
    expect(steps).toEqual(Array.from({ length: PUBLISHES }, () => ['GET', 'PUT']).flat());
    for (const state of states.slice(1)) expect(state.size).toBe(1);
  });

  it('publishes once for all who ask while one is under way', async () => {
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
    const writes = fake.seen.filter(
      ({ method, key }) => method === 'PUT' && key === `site/${INDEX_KEY}`,
    );
    expect(writes.length).toBeLessThanOrEqual(2);
  });

  it('goes on when the process that holds the lock is killed', async () => {
    const lockModule = new URL('publish-lock.ts', import.meta.url).href;
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

  it('leaves everything as it was when the store fails half way', async () => {
    await publisher().publish(HOST);
    const before = bytesOf(fake);
    await moveAll(99);
    let failures = 0;
    fake.fault = ({ method, key }) => {
      if (method !== 'PUT' || key !== `site/${INDEX_KEY}` || failures > 0) return null;
      failures += 1;
      return { kind: 'status', status: 403 };
    };
    await expect(publisher().publish(HOST)).rejects.toMatchObject({ code: 'publish_failed' });
    fake.fault = () => null;
    expect([failures, bytesOf(fake)]).toEqual([1, before]);
  });

  it('puts right what a killed process left half done, at its own turn', async () => {
    await publisher().publish(HOST);
    const before = bytesOf(fake);
    const key = [...fake.objects.keys()].find((name) => !name.endsWith('index.json')) ?? '';
    const stray = `site/plans/${uuidV7()}.json`;
    for (const name of [key, stray]) {
      fake.objects.set(name, { bytes: Buffer.from('{"half":"done"}'), headers: {} });
    }
    const repairing = await withPublishLock(connection(), async () => {
      const waiting = publisher().repair();
      await expect.poll(waiters).toBe(1);
      expect(fake.objects.has(stray)).toBe(true);
      return { waiting };
    });
    await repairing.waiting;
    expect(bytesOf(fake)).toEqual(before);
  });

  it('gives up when another process does not come to an end', async () => {
    await withPublishLock(connection(), async () => {
      await expect(publisher(50).publish(HOST)).rejects.toMatchObject({
        code: 'publish_failed',
        status: 502,
        message: 'Failed to publish plans',
      });
    });
    expect((await publisher(50).publish(HOST)).publishedCount).toBe(3);
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
    await createPlanPublisher({ db, connection: connection(), objects }).publish(HOST);
    // Three plans and the index.
    expect(open).toEqual([0, 0, 0, 0]);
  });

  it('says that the database is unavailable when it is', async () => {
    const nowhere = { host: '127.0.0.1', port: 1 };
    const lost = createPlanPublisher({ db, connection: nowhere, objects: s3StoreOn(fake) });
    await expect(lost.publish(HOST)).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});

function bytesOf(fake: FakeS3): Map<string, string> {
  return new Map([...fake.objects].map(([name, { bytes }]) => [name, bytes.toString()]));
}

/** The steps that the files of a bucket are at; more than one would be a mix. */
function stepsIn(fake: FakeS3): Set<number> {
  const steps = [...fake.objects.values()].flatMap(({ bytes }) => {
    // Written by the publisher in the form of the contract.
    const file = JSON.parse(bytes.toString()) as PublishedFile;
    return file.plans ?? [file];
  });
  return new Set(steps.flatMap((plan) => [plan.displayOrder ?? -1, plan.priceMonthly?.usd ?? -1]));
}

type PublishedFile = {
  plans?: PublishedFile[];
  displayOrder?: number;
  priceMonthly?: { usd: number };
};

function rethrow(error: Error): void {
  throw error;
}
