import { execFile, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import readline from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { publishPlanFiles } from './publish.ts';
import { plansOfRound, readIndex, readPlanFile } from './testing/plan-sets.ts';
import { contents, localStoreIn, temporaryFolder } from './testing/stores.ts';
import type { ObjectStore } from './types.ts';

const CHILD = path.join(import.meta.dirname, 'testing/publish-child.ts');

let dataDir: string;
let store: ObjectStore;
let cleanUp: () => Promise<void>;

beforeEach(async () => {
  const temporary = await temporaryFolder();
  dataDir = temporary.folder;
  cleanUp = temporary.remove;
  store = localStoreIn(dataDir);
});
afterEach(() => cleanUp());

/** Kills the program somewhere in the middle of a publish; answers the last round it reported. */
async function publishAndKill(first: number, reports: number): Promise<number> {
  const child = spawn(process.execPath, [CHILD, dataDir, String(first), '1000000', '50000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = 0;
  for await (const line of readline.createInterface(child.stdout)) {
    last = Number(line);
    if (last === first + reports) child.kill('SIGKILL');
  }
  return last;
}

it('a server killed in the middle of a publish leaves one whole set', async () => {
  let reached = 0;
  for (let kill = 0; kill < 8; kill += 1) {
    reached = await publishAndKill(reached + 1, kill);
    const index = await readIndex(store);
    // The one under way may have got through without being reported.
    expect([reached, reached + 1]).toContain(index.round);
    reached = index.round;
    expect(index.plans.map(({ id }) => id)).toEqual(plansOfRound(reached).map(({ id }) => id));
    for (const { id } of index.plans) {
      expect(await readPlanFile(store, id)).toMatchObject({ revision: index.revision });
    }
    expect(await store.list('plans/')).toHaveLength(index.plans.length + 1);
  }
  await publishPlanFiles(store, plansOfRound(reached + 1));
  expect((await readIndex(store)).round).toBe(reached + 1);
  expect(await readdir(path.join(dataDir, 'objects/.generations'))).toHaveLength(2);
});

it.each([
  ['the first plan', 200_000],
  // Five plans of this size fit each, their index does not.
  ['the index', 30_000],
])('a disk that takes no more at %s leaves the old set', async (_step, fillerBytes) => {
  await publishPlanFiles(store, plansOfRound(1));
  const before = await contents(store, '');
  // No file may grow beyond 64 KiB in this shell.
  const command = `ulimit -f 64; exec "$0" "$@"`;
  const args = [process.execPath, CHILD, dataDir, '2', '1', String(fillerBytes)];
  await expect(promisify(execFile)('bash', ['-c', command, ...args])).rejects.toThrow(
    'Failed to publish plans',
  );
  expect(await contents(store, '')).toEqual(before);
  expect(await readdir(path.join(dataDir, 'objects/.generations'))).toHaveLength(1);
  expect((await readdir(path.join(dataDir, 'objects'))).toSorted()).toEqual([
    '.generations',
    'plans',
  ]);
});
