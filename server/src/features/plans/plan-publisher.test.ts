import { planCreate, planPublish, planSetActive } from '@meridian/contract/plans';
import { publishedPlanFile, publishedPlanIndex } from '@meridian/contract/published-plans';
import type { Plan, PlanCreateBody } from '@meridian/contract/plans';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path, { join } from 'node:path';
import readline from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { createTestDatabase } from '../../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../../test/cluster/test-database.ts';
import { COMPILED_ONCE } from '../../../test/compiled-once.ts';
import { PATIENT } from '../../../test/patient.ts';
import { insertCurrency, planBody } from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { HOST } from '../../audit/audit.store.ts';
import { openDatabase } from '../../db/database.ts';
import type { Database, Db } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import { createObjectStore } from '../../objects/object-store.ts';
import type { ObjectStore } from '../../objects/objects.ts';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import type { FakeS3 } from '../../objects/testing/fake-s3.ts';
import {
  QUICK,
  failingAt,
  localStoreIn,
  s3StoreOn,
  temporaryFolder,
} from '../../objects/testing/stores.ts';
import {
  INDEX_KEY,
  createPlanPublisher,
  withPublishLock,
  writeRevision,
} from './plan-publisher.ts';
import type { PlanPublisherOptions } from './plan-publisher.ts';
import { createPlansService } from './plans.service.ts';
import { plansOfRound } from './testing/numbered-plans.ts';
import {
  contentsOf,
  filesOfBucket,
  filesOfFolder,
  readIndex,
  readPlanFiles,
} from './testing/published-files.ts';

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

describe.each(EITHER.flatMap((engine) => [[engine, 'local'] as const, [engine, 's3'] as const]))(
  'publishing on %s to %s',
  (engine, kind) => {
    let fake: FakeS3;
    let test: TestApp;
    let token: string;

    beforeEach(async () => {
      fake = await startFakeS3();
      test = await startTestApp(engine, { env: kind === 's3' ? bucketOf(fake) : {} });
      ({ token } = await test.signIn());
      await insertCurrency(test.db, 'usd');
      await insertCurrency(test.db, 'jpy', { useDecimals: false });
    });
    afterEach(async () => {
      await test.close();
      await fake.close();
    });

    const create = async (fields: Partial<PlanCreateBody>): Promise<Plan> =>
      (await test.call(planCreate, { token, body: planBody(fields) })).answer.plan;
    const publish = () => test.call(planPublish, { token });
    const files = () => (kind === 's3' ? filesOfBucket(fake) : filesOfFolder(test.dataDir));
    const base = kind === 's3' ? 'https://cdn.example/files' : '/cdn';

    // Proves 4.28
    it('writes what the public may know of active and visible plans, in their order', async () => {
      const late = await create({ displayOrder: 9, priceMonthly: { usd: 9.99, jpy: 1500 } });
      await create({ displayOrder: 1, isActive: false });
      await create({ displayOrder: 2, isVisible: false });
      const early = await create({ displayOrder: 3, tier: 'FREE' });

      const { status, answer } = await publish();
      expect(status).toBe(200);
      const index = await readIndex(files());
      const { formatVersion, revision, publishedAt, plans } = index;
      const urls = [early, late].map(({ id }) => `${base}/plans/${revision}/${id}.json`);
      expect(answer).toEqual({
        publishedCount: 2,
        // Absolute, also where the index has a path of this server.
        individualUrls: urls.map((url) => new URL(url, 'http://localhost:80').href),
      });
      expect(plans).toEqual([
        { ...publicPart(early), url: urls[0] },
        { ...publicPart(late), url: urls[1] },
      ]);
      expect(plans[1]).toMatchObject({ priceMonthly: { usd: 9.99, jpy: 1500 }, isPaid: true });
      const header = { formatVersion, revision, publishedAt };
      expect(await readPlanFiles(files(), index)).toEqual([
        { ...header, ...publicPart(early) },
        { ...header, ...publicPart(late) },
      ]);
      expect(await files().keys()).toHaveLength(3);
    });

    it('drops plans that are gone from the index, down to none, and keeps earlier files', async () => {
      const plan = await create({});
      await publish();
      const first = await readIndex(files());
      await test.call(planSetActive, { token, params: { id: plan.id }, body: { isActive: false } });
      // Nothing changes for the public before the next publish.
      expect(await readIndex(files())).toEqual(first);

      expect((await publish()).answer).toEqual({ publishedCount: 0, individualUrls: [] });
      expect((await readIndex(files())).plans).toEqual([]);
      expect(await readPlanFiles(files(), first)).toHaveLength(1);
    });

    it('responds over a real connection, and the named files can be read there', async () => {
      await create({});
      const origin = await test.app.listen({ port: 0, host: '127.0.0.1' });
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(origin + planPublish.path, { method: 'POST', headers });
      const { individualUrls } = planPublish.answer.parse(await response.json());
      expect([response.status, individualUrls.length]).toEqual([200, 1]);
      if (kind === 's3') return;
      const file = await fetch(individualUrls[0] ?? '');
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    });

    it('responds with 502 when the store fails', async () => {
      await create({});
      const objects = join(test.dataDir, 'objects');
      if (kind === 's3') fake.fault = () => ({ kind: 'status', status: 403 });
      // A file in place of the folder.
      else await writeFile(objects, '');
      expect(refusal(await publish())).toEqual(
        catalogued('publish_failed', 'Failed to publish plans'),
      );
      expect(test.logged.some((line) => line.includes('"code":"publish_failed"'))).toBe(true);

      fake.fault = () => null;
      if (kind === 'local') await rm(objects);
      expect((await publish()).answer.publishedCount).toBe(1);
    });
  },
);

function publicPart(plan: Plan): object {
  const { id, tier, displayName, description, priceMonthly, priceYearly, currency } = plan;
  const { limits, features, displayOrder, isPaid } = plan;
  const texts = { displayName, description, features };
  return { id, tier, ...texts, priceMonthly, priceYearly, currency, limits, displayOrder, isPaid };
}

function bucketOf(fake: FakeS3): Record<string, string> {
  return {
    OBJECT_STORE_URL: `s3://${fake.bucket}/site`,
    OBJECT_STORE_ENDPOINT: fake.endpoint,
    AWS_ACCESS_KEY_ID: fake.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: fake.credentials.secretAccessKey,
    AWS_REGION: fake.credentials.region,
    CDN_BASE_URL: 'https://cdn.example/files',
  };
}

describe('the files of published plans', () => {
  const ROUNDS = 200;
  const KILLS = 8;
  const AT = '2026-01-02T03:04:05.678Z';

  let fake: FakeS3;
  let dataDir: string;
  let cleanUp: () => Promise<void>;

  beforeEach(async () => {
    const { folder, remove } = await temporaryFolder();
    dataDir = folder;
    fake = await startFakeS3();
    cleanUp = async () => {
      await fake.close();
      await remove();
    };
  });
  afterEach(() => cleanUp());

  const publish = (store: ObjectStore, round: number, signal = new AbortController().signal) =>
    writeRevision(store, plansOfRound(round), AT, signal);

  describe.each(['local', 's3'] as const)('a revision in a %s store', (kind) => {
    const storeOf = () => (kind === 's3' ? s3StoreOn(fake) : localStoreIn(dataDir));
    const filesOf = () => (kind === 's3' ? filesOfBucket(fake) : filesOfFolder(dataDir));

    it('is a file per plan and an index that names them in order', async () => {
      const store = storeOf();
      const { publishedCount, individualUrls } = await publish(store, 1);
      const index = await readIndex(filesOf());
      const ids = plansOfRound(1).map(({ id }) => id);
      const keys = ids.map((id) => `plans/${index.revision}/${id}.json`);
      expect(publishedCount).toBe(5);
      expect(individualUrls).toEqual(keys.map((key) => store.publicUrl(key)));
      expect(index).toMatchObject({ formatVersion: 1, publishedAt: AT });
      expect(index.plans.map(({ id, url }) => [id, url])).toEqual(
        ids.map((id, position) => [id, individualUrls[position]]),
      );
      const files = await readPlanFiles(filesOf(), index);
      expect(files.map(({ publishedAt }) => publishedAt)).toEqual(ids.map(() => AT));
      expect(await filesOf().keys()).toEqual([...keys, INDEX_KEY].toSorted());
    });

    it('is untouched by later ones', async () => {
      await publish(storeOf(), 1);
      const before = await contentsOf(filesOf());
      before.delete(INDEX_KEY);
      await publish(storeOf(), 2);
      await writeRevision(storeOf(), [], AT, new AbortController().signal);
      const after = await contentsOf(filesOf());
      expect(before.size).toBe(5);
      for (const [key, content] of before) expect(after.get(key)).toBe(content);
      expect(await readIndex(filesOf())).toMatchObject({ plans: [] });
    });

    // Five plans and the index.
    it.each(
      [1, 2, 3, 4, 5, 6].flatMap((nth) => [[nth, 'before'] as const, [nth, 'after'] as const]),
    )('is public or not at all when upload %i fails %s it took effect', async (nth, when) => {
      await publish(storeOf(), 1);
      await expect(publish(failingAt(storeOf(), nth, when), 2)).rejects.toThrow('fails');
      const index = await readIndex(filesOf());
      await readPlanFiles(filesOf(), index);
      // Only an index that arrived although its response was lost makes the new revision public.
      expect(index.plans[0]?.displayOrder).toBe(nth === 6 && when === 'after' ? 2 : 1);
    });

    it('is not made public once it is aborted', async () => {
      await publish(storeOf(), 1);
      const lock = new AbortController();
      const store = storeOf();
      const losing: ObjectStore = {
        ...store,
        async put(key, bytes, options) {
          await store.put(key, bytes, options);
          lock.abort(new Error('The lock is lost'));
        },
      };
      await expect(publish(losing, 2, lock.signal)).rejects.toThrow('The lock is lost');
      expect((await readIndex(filesOf())).plans[0]?.displayOrder).toBe(1);
    });

    it(`is complete for a reader at any moment of ${ROUNDS} publishes`, async () => {
      const store = storeOf();
      const files = filesOf();
      await publish(store, 0);
      const progress = { isOver: false, reads: 0 };
      const publishing = (async () => {
        for (let round = 1; round <= ROUNDS; round += 1) {
          // Every third one fails, each time at another upload.
          const isFailing = round % 3 === 0;
          const used = isFailing ? failingAt(store, 1 + (round % 6), 'before') : store;
          const outcome = await publish(used, round).catch((error: unknown) => error);
          expect(outcome instanceof Error).toBe(isFailing);
        }
      })().finally(() => (progress.isOver = true));
      let latest = 0;
      for (; !progress.isOver; progress.reads += 1) {
        const index = await readIndex(files);
        const rounds = [...index.plans, ...(await readPlanFiles(files, index))].map(
          ({ displayOrder }) => displayOrder,
        );
        expect(new Set(rounds).size).toBe(1);
        expect(rounds[0]).toBeGreaterThanOrEqual(latest);
        latest = rounds[0] ?? 0;
      }
      await publishing;
      expect(progress.reads).toBeGreaterThan(5);
      expect((await readIndex(files)).plans[0]?.displayOrder).toBe(ROUNDS);
    });
  });

  it('has at most four uploads under way', async () => {
    const store = s3StoreOn(fake);
    let underWay = 0;
    let most = 0;
    const counting: ObjectStore = {
      ...store,
      async put(key, bytes, options) {
        underWay += 1;
        most = Math.max(most, underWay);
        await store.put(key, bytes, options);
        underWay -= 1;
      },
    };
    await publish(counting, 1);
    expect(most).toBe(4);
    expect(fake.refused).toEqual([]);
  });

  describe('a process that publishes to a folder', () => {
    const CHILD = path.join(import.meta.dirname, 'testing/publish-child.ts');

    /** Kills it in the middle of a publish; returns the last round it reported. */
    async function publishAndKill(first: number, reports: number): Promise<number> {
      const child = spawn(process.execPath, [CHILD, dataDir, String(first), '1000000', '50000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...COMPILED_ONCE },
      });
      let last = 0;
      for await (const line of readline.createInterface(child.stdout)) {
        last = Number(line);
        if (last === first + reports) child.kill('SIGKILL');
      }
      return last;
    }

    it('leaves the old index or the new one, whole, when it is killed', async () => {
      const files = filesOfFolder(dataDir);
      let reached = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        reached = await publishAndKill(reached + 1, kill);
        const index = await readIndex(files);
        const round = index.plans[0]?.displayOrder ?? -1;
        // The publish under way may have been completed without being reported.
        expect([reached, reached + 1]).toContain(round);
        expect(index.plans.map(({ id }) => id)).toEqual(plansOfRound(round).map(({ id }) => id));
        expect(await readPlanFiles(files, index)).toHaveLength(5);
        reached = round;
      }
    });

    it.each([
      ['the first plan', 200_000],
      // A plan of this size fits, an index of five does not.
      ['the index', 30_000],
    ])('leaves the old index when the disk is full at %s', async (_step, fillerBytes) => {
      const files = filesOfFolder(dataDir);
      await publish(localStoreIn(dataDir), 1);
      const before = await contentsOf(files);
      // No file may grow beyond 64 KiB in this shell.
      const command = `ulimit -f 64; exec "$0" "$@"`;
      const args = [process.execPath, CHILD, dataDir, '2', '1', String(fillerBytes)];
      await expect(promisify(execFile)('bash', ['-c', command, ...args])).rejects.toThrow('EFBIG');
      const after = await contentsOf(files);
      for (const [key, content] of before) expect(after.get(key)).toBe(content);
      expect([...after.keys()].filter((key) => key.includes('.new-'))).toEqual([]);
    });
  });
});

const SCHEMAS = {
  'plans-index': { schema: publishedPlanIndex, title: 'plans/index.json' },
  plan: { schema: publishedPlanFile, title: 'plans/{revision}/{planId}.json' },
} as const;
const AT = '2026-01-02T03:04:05.678Z';
type Name = keyof typeof SCHEMAS;

const fileOf = (name: Name) =>
  new URL(`../../../../docs/schemas/published-${name}.schema.json`, import.meta.url);

/** Formats are for readers: the contract does not say them in another way. */
const ajv = new Ajv2020({ validateFormats: false, allowUnionTypes: true });

async function validatorOf(name: Name) {
  return ajv.compile(JSON.parse(await readFile(fileOf(name), 'utf8')));
}

describe('the JSON schema of', () => {
  it.each(Object.keys(SCHEMAS) as Name[])('%s is made from the contract', async (name) => {
    const { schema, title } = SCHEMAS[name];
    // As input: readers ignore fields that they do not know, so more of them are allowed.
    const made = { title, ...z.toJSONSchema(schema, { io: 'input' }) };
    await expect(`${JSON.stringify(made, null, 2)}\n`).toMatchFileSnapshot(fileOf(name).pathname);
  });
});

it('the published files are valid by their schemas, also with a field of a later version', async () => {
  const fake = await startFakeS3();
  const { signal } = new AbortController();
  await writeRevision(s3StoreOn(fake), plansOfRound(1), AT, signal);
  await fake.close();
  const [isIndex, isPlan] = [await validatorOf('plans-index'), await validatorOf('plan')];
  expect(fake.objects.size).toBe(6);
  for (const [key, { bytes }] of fake.objects) {
    const content = JSON.parse(bytes.toString()) as object; // a published file is an object
    const isValid = key.endsWith(INDEX_KEY) ? isIndex : isPlan;
    expect([key, isValid(content), isValid({ ...content, later: 1 })]).toEqual([key, true, true]);
    expect(isValid({ ...content, formatVersion: 2 })).toBe(false);
  }
});

it('the addresses are those of the objects when CDN_BASE_URL is set as the guide does', async () => {
  const guide = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const settingOf = (name: string) =>
    new RegExp(`^${name}=(\\S+)`, 'm').exec(guide)?.[1] ?? `${name} is not in the guide`;
  const fake = await startFakeS3();
  const store = createObjectStore({
    ...fake.credentials,
    url: settingOf('OBJECT_STORE_URL').replace('//bucket', `//${fake.bucket}`),
    endpoint: fake.endpoint,
    allowPrivateNetwork: false,
    dataDir: '',
    cdnBaseUrl: settingOf('CDN_BASE_URL'),
    s3Limits: QUICK,
  });
  const { signal } = new AbortController();
  const { individualUrls } = await writeRevision(store, plansOfRound(1), AT, signal);
  await fake.close();
  // A host that delivers the whole bucket: the path of an address is the name of the object.
  const named = [...individualUrls, store.publicUrl(INDEX_KEY)].map((url) => new URL(url).pathname);
  expect(named.toSorted()).toEqual([...fake.objects.keys()].map((key) => `/${key}`).toSorted());
  expect(named).toContain('/prefix/plans/index.json');
});
