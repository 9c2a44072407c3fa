import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishPlanFiles, repairPlanFiles } from './publish.ts';
import { startFakeS3 } from './testing/fake-s3.ts';
import type { FakeS3 } from './testing/fake-s3.ts';
import { contents, localStoreIn, oneByOne, s3StoreOn, temporaryFolder } from './testing/stores.ts';
import type { ObjectStore } from './types.ts';

const [A = '', B = '', C = '', D = '', E = ''] = Array.from({ length: 5 }, () => randomUUID());
const plansOf = (label: string, ids: string[]) => ids.map((id) => ({ id, label }));
/** Four files, the index, one removal. */
const OLD = plansOf('old', [A, B, C]);
const NEW = plansOf('new', [B, C, D, E]);
const LOST = new Error('The lock is lost');

let fake: FakeS3;
let local: ObjectStore;
let cleanUp: () => Promise<void>;

beforeEach(async () => {
  const { folder, remove } = await temporaryFolder();
  fake = await startFakeS3();
  local = localStoreIn(folder);
  cleanUp = async () => {
    await fake.close();
    await remove();
  };
});
afterEach(() => cleanUp());

/** The same store, and the keys of all changes that began. What `onChange` does comes first. */
function watched(store: ObjectStore, onChange: (nth: number) => void) {
  const begun: string[] = [];
  const begin = (key: string) => onChange(begun.push(key));
  const watching: ObjectStore = {
    ...store,
    async put(key, bytes, options) {
      begin(key);
      await store.put(key, bytes, options);
    },
    async remove(key, options) {
      begin(key);
      await store.remove(key, options);
    },
  };
  return { watching, begun };
}

/** All that is there but these. A change that began may have had its effect. */
async function others(store: ObjectStore, keys: readonly string[]): Promise<Map<string, string>> {
  const found = await contents(store, '');
  return new Map([...found].filter(([key]) => !keys.includes(key)));
}

describe.each(['a local folder, file by file', 'S3'])('the right to write to %s', (name) => {
  const storeOf = () => (name === 'S3' ? s3StoreOn(fake) : oneByOne(local));

  it.each([1, 2, 3, 4, 5])(
    'lost at change %i of a publish: no other begins, and none is taken back',
    async (nth) => {
      const store = storeOf();
      await publishPlanFiles(store, OLD);
      const before = await contents(store, '');
      const holding = new AbortController();
      const { watching, begun } = watched(store, (change) => {
        if (change === nth) holding.abort(LOST);
      });
      const failure = publishPlanFiles(watching, NEW, { held: holding.signal });
      await expect(failure).rejects.toMatchObject({
        code: 'publish_failed',
        isRestored: false,
        cause: LOST,
      });
      expect(begun).toHaveLength(nth);
      const kept = new Map([...before].filter(([key]) => !begun.includes(key)));
      expect(await others(store, begun)).toEqual(kept);
    },
  );

  it('lost while a failed publish is taken back: that ends too', async () => {
    const store = storeOf();
    await publishPlanFiles(store, OLD);
    const holding = new AbortController();
    // All four files are begun; the first change after that belongs to the way back.
    const { watching, begun } = watched(store, (change) => {
      if (change === 4) throw new Error('The store fails');
      if (change === 5) holding.abort(LOST);
    });
    const failure = publishPlanFiles(watching, NEW, { held: holding.signal });
    await expect(failure).rejects.toMatchObject({ code: 'publish_failed', isRestored: false });
    expect(begun).toHaveLength(5);
  });

  it('lost in a repair: the rest is left to whoever has it now', async () => {
    const store = storeOf();
    await publishPlanFiles(store, OLD);
    for (const id of [A, B, C]) await store.put(`plans/${id}.json`, Buffer.from('wrong'));
    const holding = new AbortController();
    const { watching, begun } = watched(store, () => holding.abort(LOST));
    await expect(repairPlanFiles(watching, { held: holding.signal })).rejects.toThrow(LOST.message);
    expect(begun).toHaveLength(1);
  });

  it('kept to the end changes nothing about a publish', async () => {
    const store = storeOf();
    await publishPlanFiles(store, OLD);
    const held = new AbortController().signal;
    expect((await publishPlanFiles(store, NEW, { held })).publishedCount).toBe(4);
    expect(await store.list('plans/')).toHaveLength(5);
  });
});

it('a folder that is swapped at once is not swapped without the right to', async () => {
  await publishPlanFiles(local, OLD);
  const before = await contents(local, '');
  const failure = publishPlanFiles(local, NEW, { held: AbortSignal.abort(LOST) });
  await expect(failure).rejects.toMatchObject({ code: 'publish_failed', cause: LOST });
  expect(await contents(local, '')).toEqual(before);
});
