import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMPILED_ONCE } from '../../../test/compiled-once.ts';
import { startFakeS3 } from '../../objects/testing/fake-s3.ts';
import type { FakeS3 } from '../../objects/testing/fake-s3.ts';
import {
  failingAt,
  localStoreIn,
  s3StoreOn,
  temporaryFolder,
} from '../../objects/testing/stores.ts';
import type { ObjectStore } from '../../objects/objects.ts';
import { INDEX_KEY, writeRevision } from './plan-publisher.ts';
import { plansOfRound } from './testing/numbered-plans.ts';
import {
  contentsOf,
  filesOfBucket,
  filesOfFolder,
  readIndex,
  readPlanFiles,
} from './testing/published-files.ts';

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
  it.each([1, 2, 3, 4, 5, 6].flatMap((nth) => [[nth, 'before'] as const, [nth, 'after'] as const]))(
    'is public or not at all when upload %i fails %s it took effect',
    async (nth, when) => {
      await publish(storeOf(), 1);
      await expect(publish(failingAt(storeOf(), nth, when), 2)).rejects.toThrow('fails');
      const index = await readIndex(filesOf());
      await readPlanFiles(filesOf(), index);
      // Only an index that arrived although its response was lost makes the new revision public.
      expect(index.plans[0]?.displayOrder).toBe(nth === 6 && when === 'after' ? 2 : 1);
    },
  );

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
