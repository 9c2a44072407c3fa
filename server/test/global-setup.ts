import type { TestProject } from 'vitest/node';
import { startClusters } from './cluster/clusters.ts';
import type { Clusters } from './cluster/clusters.ts';

type Shared = { clusters: Promise<Clusters>; users: number };

/** Two projects ask, each with an instance of this module of its own: only what is global is shared. */
const KEY = Symbol.for('meridian.test.clusters');
const place = globalThis as { [KEY]?: Shared };

/** One set of clusters for the whole run; tests reach them through `createTestDatabase`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (place[KEY] ??= { clusters: startClusters(), users: 0 });
  shared.users += 1;
  const clusters = await shared.clusters;
  project.provide('clusters', clusters.addresses);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete place[KEY];
    await clusters.stop();
  };
}
