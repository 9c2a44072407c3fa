import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/app.ts';
import { createTestDatabase } from '../../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../../test/cluster/test-database.ts';
import { insertCurrency, planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/author.ts';
import { openDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import type { FakeS3 } from '../../objects/testing/fake-s3.ts';
import { s3StoreOn } from '../../objects/testing/stores.ts';
import { createPlanPublisher } from './plan-publisher.ts';
import { createPlansService } from './plans.service.ts';
import { withPublishLock } from './publish-lock.ts';

/** More than are uploaded at once. */
const PLANS = 8;
const AT_ONCE = 4;

describe.each(ENGINES)('the lock for publishing on %s', (engine) => {
  let database: TestDatabase;
  let db: Database;
  let fake: FakeS3;

  beforeAll(async () => {
    database = await createTestDatabase(engine);
    db = openDatabase({ connectionString: database.connectionString }, { onError: rethrow });
    fake = await startFakeS3();
    await insertCurrency(db, 'usd');
    const plans = createPlansService(db);
    for (let made = 0; made < PLANS; made += 1) await plans.create(HOST, planBody());
  });
  afterAll(async () => {
    await fake.close();
    await db.close();
    await database.drop();
  });

  const connection = () => ({ connectionString: database.connectionString });
  const publish = (objects: ObjectStore) =>
    createPlanPublisher({ db, connection: connection(), objects }).publish(HOST);

  /** Ends the connection that holds the lock, and waits until its holder knows. */
  const loseLock = async (held: AbortSignal | undefined): Promise<void> => {
    const cut = await db.many(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'meridian publish'`);
    expect(cut).toHaveLength(1);
    await expect.poll(() => held?.aborted).toBe(true);
  };

  it('tells its holder when the connection is lost, as another may have it then', async () => {
    await withPublishLock(connection(), async (held) => {
      expect(held.aborted).toBe(false);
      await loseLock(held);
      expect(held.reason).toMatchObject({ name: 'PublishLockLost' });
      const second = await withPublishLock(connection(), async (signal) => signal, 50);
      expect(second.aborted).toBe(false);
    });
  });

  it('stops a publish that has lost it, and nothing is changed back', async () => {
    await publish(s3StoreOn(fake));
    const before = bytesOf(fake);
    await db.execute(sql`update plans set display_order = display_order + 1`);

    const store = s3StoreOn(fake);
    const lost = Promise.withResolvers<void>();
    const begun: string[] = [];
    const objects: ObjectStore = {
      ...store,
      async put(key, bytes, options) {
        const isFirst = begun.push(`site/${key}`) === 1;
        if (!isFirst) await lost.promise;
        await store.put(key, bytes, options);
        if (isFirst) lost.resolve(loseLock(options?.signal));
        await lost.promise;
      },
    };
    await expect(publish(objects)).rejects.toMatchObject({
      code: 'publish_failed',
      status: 502,
      message: 'Failed to publish plans',
    });

    // Those that were under way at that moment; only the first had come through.
    expect(begun).toHaveLength(AT_ONCE);
    const after = bytesOf(fake);
    const changed = [...after.keys()].filter((key) => after.get(key) !== before.get(key));
    expect(changed).toEqual(begun.slice(0, 1));
    const { n } = await db.one<{ n: number }>(sql`
      select count(*) as n from audit_log where action = 'planPublishFailed'`);
    expect(n).toBe(1);

    // The next one, of whatever process, leaves one whole state.
    expect((await publish(s3StoreOn(fake))).publishedCount).toBe(PLANS);
    expect(fake.objects.size).toBe(PLANS + 1);
    expect(new Set([...bytesOf(fake).values()].map(revisionOf)).size).toBe(1);
  });

  it('is held to the end of a publish that nothing disturbs', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const store = s3StoreOn(fake);
    const objects: ObjectStore = {
      ...store,
      async put(key, bytes, options) {
        signals.push(options?.signal);
        await store.put(key, bytes, options);
      },
    };
    await publish(objects);
    expect(signals.map((signal) => signal?.aborted)).toEqual(Array(PLANS + 1).fill(false));
  });
});

function bytesOf(fake: FakeS3): Map<string, string> {
  return new Map([...fake.objects].map(([name, { bytes }]) => [name, bytes.toString()]));
}

function revisionOf(file: string): string {
  // Written by the publisher in the form of the contract.
  return (JSON.parse(file) as { revision: string }).revision;
}

function rethrow(error: Error): void {
  throw error;
}
