import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publishPlanFiles, PublishError, repairPlanFiles } from './publish.ts';
import { startFakeS3 } from './testing/fake-s3.ts';
import type { FakeS3 } from './testing/fake-s3.ts';
import {
  contents,
  failingAt,
  localStoreIn,
  oneByOne,
  s3StoreOn,
  temporaryFolder,
} from './testing/stores.ts';
import type { ObjectStore } from './types.ts';

const [A, B, C, D, E] = Array.from({ length: 5 }, () => randomUUID());
const plansOf = (label: string, ...ids: (string | undefined)[]) =>
  ids.map((id = '') => ({ id, displayName: { en: `${label} ${id}` } }));

let fake: FakeS3;
let cleanUp: () => Promise<void>;
let stores: Record<string, ObjectStore>;

beforeEach(async () => {
  const { folder, remove } = await temporaryFolder();
  fake = await startFakeS3();
  stores = {
    'a local folder': localStoreIn(folder),
    'a local folder, file by file': oneByOne(localStoreIn(folder)),
    S3: s3StoreOn(fake),
  };
  cleanUp = async () => {
    await fake.close();
    await remove();
  };
});
afterEach(() => cleanUp());

function storeNamed(name: string): ObjectStore {
  const store = stores[name];
  if (store === undefined) throw new Error(`No store named ${name}`);
  return store;
}
const json = async (store: ObjectStore, key: string): Promise<unknown> => {
  const object = await store.get(key);
  return object === null ? null : JSON.parse(Buffer.from(object.bytes).toString('utf8'));
};

describe.each(['a local folder', 'a local folder, file by file', 'S3'])(
  'publishing to %s',
  (name) => {
    it('writes the index in order and a file per plan, all of one revision', async () => {
      const store = storeNamed(name);
      const now = new Date('2026-01-02T03:04:05.678Z');
      const plans = plansOf('first', B, A, C);
      expect(await publishPlanFiles(store, plans, { now })).toEqual({
        publishedCount: 3,
        individualUrls: [B, A, C].map((id) => store.publicUrl(`plans/${id}.json`)),
      });
      const revision = expect.stringMatching(/^[0-9a-f]{32}$/);
      const publishedAt = '2026-01-02T03:04:05.678Z';
      const index = await json(store, 'plans/index.json');
      expect(index).toEqual({ revision, publishedAt, plans });
      for (const plan of plans) {
        const file = await json(store, `plans/${plan.id}.json`);
        expect(file).toEqual({ ...plan, revision, publishedAt });
        expect(file).toHaveProperty('revision', Object(index).revision);
      }
      expect(await store.list('plans/')).toHaveLength(4);
    });

    it('removes what is no longer published, down to nothing at all', async () => {
      const store = storeNamed(name);
      await store.put('pictures/a.png', Buffer.from('x'));
      await publishPlanFiles(store, plansOf('first', A, B, C));
      await publishPlanFiles(store, plansOf('second', C, D));
      expect(await store.list('')).toEqual(
        ['pictures/a.png', `plans/${C}.json`, `plans/${D}.json`, 'plans/index.json'].toSorted(),
      );
      expect(await publishPlanFiles(store, [])).toEqual({ publishedCount: 0, individualUrls: [] });
      expect(await store.list('')).toEqual(['pictures/a.png', 'plans/index.json']);
      expect(await json(store, 'plans/index.json')).toMatchObject({ plans: [] });
    });

    it.each([
      ['no UUID', [{ id: '../../x' }]],
      ['the index itself', [{ id: 'index' }]],
      ['the same plan twice', plansOf('x', A, A)],
    ])('refuses %s and changes nothing', async (_case, plans) => {
      const store = storeNamed(name);
      await publishPlanFiles(store, plansOf('first', A, B));
      const before = await contents(store, '');
      await expect(publishPlanFiles(store, plans)).rejects.toMatchObject({
        code: 'publish_failed',
      });
      expect(await contents(store, '')).toEqual(before);
    });

    it('lets publishes that arrive together happen one after the other', async () => {
      const store = storeNamed(name);
      const labels = ['1', '2', '3', '4', '5'];
      await Promise.all(labels.map((label) => publishPlanFiles(store, plansOf(label, A, B, C))));
      expect(await json(store, 'plans/index.json')).toMatchObject({ plans: plansOf('5', A, B, C) });
      for (const plan of plansOf('5', A, B, C)) {
        expect(await json(store, `plans/${plan.id}.json`)).toMatchObject(plan);
      }
    });
  },
);

describe.each(['a local folder, file by file', 'S3'])('a publish to %s that fails', (name) => {
  // Old A B C, new B C D E: four files, the index, one removal.
  const STEPS = [1, 2, 3, 4, 5, 6];
  const CASES = STEPS.flatMap((step) =>
    (['before', 'after'] as const).map((when) => [step, when] as const),
  );

  it.each(CASES)('at change %i, %s it took effect, leaves the old set', async (step, when) => {
    const store = storeNamed(name);
    await publishPlanFiles(store, plansOf('old', A, B, C));
    const before = await contents(store, '');
    const failure = publishPlanFiles(failingAt(store, step, when), plansOf('new', B, C, D, E));
    await expect(failure).rejects.toMatchObject({ code: 'publish_failed', isRestored: true });
    expect(await contents(store, '')).toEqual(before);
  });

  it.each(CASES.slice(0, 10))(
    'at change %i, %s, as the first ever, leaves nothing',
    async (step, when) => {
      const store = storeNamed(name);
      const failure = publishPlanFiles(failingAt(store, step, when), plansOf('new', A, B, C, D));
      await expect(failure).rejects.toBeInstanceOf(PublishError);
      expect(await contents(store, '')).toEqual(new Map());
    },
  );

  it('gives back files that another program had published, byte for byte', async () => {
    const store = storeNamed(name);
    await store.put('plans/index.json', Buffer.from('["somebody else\'s"]'));
    await store.put(`plans/${A}.json`, Buffer.from('not even JSON'));
    const before = await contents(store, '');
    for (const step of [1, 2, 3, 4]) {
      const failure = publishPlanFiles(failingAt(store, step, 'after'), plansOf('new', A, B, C));
      await expect(failure).rejects.toBeInstanceOf(PublishError);
      expect(await contents(store, '')).toEqual(before);
    }
  });
});

/** As if the server died, or the network, after so many changes. */
async function cutAfter(changes: number): Promise<void> {
  let left = changes;
  fake.fault = ({ method }) => {
    if (method !== 'GET') left -= 1;
    return left < 0 ? { kind: 'drop' } : null;
  };
  const failure = publishPlanFiles(storeNamed('S3'), plansOf('new', B, C, D, E));
  await expect(failure).rejects.toMatchObject({ isRestored: false });
  fake.fault = () => null;
}

describe('a publish to S3', () => {
  it('has at most four uploads under way', async () => {
    const ids = Array.from({ length: 25 }, () => randomUUID());
    const store = storeNamed('S3');
    let underWay = 0;
    let most = 0;
    const counting: ObjectStore = {
      ...store,
      put: async (key, bytes, options) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await store.put(key, bytes, options);
        underWay -= 1;
      },
    };
    await publishPlanFiles(counting, plansOf('many', ...ids));
    expect(fake.objects.size).toBe(26);
    expect(most).toBe(4);
    expect(fake.refused).toEqual([]);
  });

  it('leaves everything when the store refuses from the start', async () => {
    const store = storeNamed('S3');
    await publishPlanFiles(store, plansOf('old', A, B));
    const before = await contents(store, '');
    for (const status of [403, 500]) {
      fake.fault = ({ method }) => (method === 'PUT' ? { kind: 'status', status } : null);
      await expect(publishPlanFiles(store, plansOf('new', A, B))).rejects.toMatchObject({
        status: 502,
        message: 'Failed to publish plans',
      });
      fake.fault = () => null;
      expect(await contents(store, '')).toEqual(before);
    }
  });

  it.each([1, 2, 3, 4])(
    'is cut off for good after %i changes: the index stands, and a repair mends the files',
    async (changes) => {
      const store = storeNamed('S3');
      await publishPlanFiles(store, plansOf('old', A, B, C));
      const before = await contents(store, '');
      await cutAfter(changes);
      const cut = await contents(store, '');
      expect(cut.get('plans/index.json')).toBe(before.get('plans/index.json'));
      expect([...cut.keys()]).toEqual(expect.arrayContaining([...before.keys()]));

      await repairPlanFiles(store);
      expect(await contents(store, '')).toEqual(before);
      const seen = fake.seen.length;
      await repairPlanFiles(store);
      expect(fake.seen.slice(seen).every(({ method }) => method === 'GET')).toBe(true);
    },
  );

  it('that fails after one that was cut off still gives back what the index says', async () => {
    const store = storeNamed('S3');
    await publishPlanFiles(store, plansOf('old', A, B, C));
    const before = await contents(store, '');
    await cutAfter(2);
    const failure = publishPlanFiles(failingAt(store, 5, 'before'), plansOf('newer', B, C, D, E));
    await expect(failure).rejects.toMatchObject({ isRestored: true });
    await repairPlanFiles(store);
    expect(await contents(store, '')).toEqual(before);
  });

  it('ends in time when the store hangs in the middle', async () => {
    const store = storeNamed('S3');
    await publishPlanFiles(store, plansOf('old', A, B, C));
    fake.fault = ({ method }) => (method === 'PUT' ? { kind: 'hang' } : null);
    const limits = { publishMs: 200, restoreMs: 200 };
    await expect(
      publishPlanFiles(store, plansOf('new', A, B, C), { limits }),
    ).rejects.toMatchObject({
      isRestored: false,
    });
  });
});
