import { afterEach, beforeEach, expect, it } from 'vitest';
import { publishPlanFiles, PublishError } from './publish.ts';
import { readSet } from './published-set.ts';
import { startFakeS3 } from './testing/fake-s3.ts';
import type { FakeS3 } from './testing/fake-s3.ts';
import { plansOfRound, readIndex, readPlanFile } from './testing/plan-sets.ts';
import { failingAt, localStoreIn, oneByOne, s3StoreOn, temporaryFolder } from './testing/stores.ts';
import type { ObjectStore } from './types.ts';

const ROUNDS = 60;

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

/** Reads as long as the publishes go on; answers how often. */
async function readWhile(publishing: Promise<void>, read: () => Promise<void>): Promise<number> {
  const progress = { isOver: false, reads: 0 };
  const reading = (async () => {
    for (; !progress.isOver; progress.reads += 1) await read();
  })();
  await Promise.all([publishing.finally(() => (progress.isOver = true)), reading]);
  return progress.reads;
}

/** A plan may have been withdrawn since the index was read; then the index says so by now. */
async function expectWithdrawn(store: ObjectStore, id: string): Promise<void> {
  const index = await readIndex(store);
  expect(index.plans.some((plan) => plan.id === id)).toBe(false);
}

it('a reader of a local folder sees one committed set after the other, never a mix', async () => {
  const store = localStoreIn(dataDir);
  await publishPlanFiles(store, plansOfRound(0));
  const publishing = (async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await publishPlanFiles(store, plansOfRound(round, 'x'.repeat(5_000)));
    }
  })();
  let quietReads = 0;
  const reads = await readWhile(publishing, async () => {
    const before = await readIndex(store);
    const files = [];
    for (const { id } of before.plans) {
      const file = await readPlanFile(store, id);
      if (file === null) await expectWithdrawn(store, id);
      else files.push(file);
    }
    const after = await readIndex(store);
    // Time never runs backwards, from one read to the next.
    const rounds = [before, ...files, after].map(({ round }) => round);
    expect(rounds).toEqual(rounds.toSorted((a, b) => a - b));
    if (after.revision !== before.revision) return;
    quietReads += 1;
    expect(files).toHaveLength(before.plans.length);
    for (const file of files) expect(file.revision).toBe(before.revision);
  });
  expect(reads).toBeGreaterThan(5);
  expect(quietReads).toBeGreaterThan(0);
});

it.each(['local', 's3'])(
  'a reader of a %s store that changes file by file never misses a file the index names, whatever fails',
  async (kind) => {
    const store = kind === 's3' ? s3StoreOn(fake) : oneByOne(localStoreIn(dataDir));
    const reader = kind === 's3' ? s3StoreOn(fake) : localStoreIn(dataDir);
    await publishPlanFiles(store, plansOfRound(0));
    const attempted = new Set([0]);
    const publishing = (async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        // Every third one fails, each time at another step.
        const doomed = round % 3 === 0 ? failingAt(store, 1 + (round % 7), 'after') : store;
        attempted.add(round);
        await publishPlanFiles(doomed, plansOfRound(round)).catch((error: unknown) => {
          if (!(error instanceof PublishError)) throw error;
        });
      }
    })();
    const reads = await readWhile(publishing, async () => {
      const bytes = (await reader.get('plans/index.json'))?.bytes;
      // Whole, and of one revision: its fingerprint covers every plan in it.
      expect(bytes === undefined ? null : readSet(bytes)).not.toBeNull();
      const index = await readIndex(reader);
      expect(attempted.has(index.round)).toBe(true);
      for (const { id } of index.plans) {
        if ((await readPlanFile(reader, id)) === null) await expectWithdrawn(reader, id);
      }
    });
    expect(reads).toBeGreaterThan(5);
    const last = await readIndex(reader);
    for (const { id } of last.plans) {
      expect(await readPlanFile(reader, id)).toMatchObject({ revision: last.revision });
    }
  },
);
