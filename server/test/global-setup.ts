import type { TestProject } from 'vitest/node';
import { startClusters } from './cluster/clusters.ts';

/** One set of clusters for the whole run; tests reach them through `createTestDatabase`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const clusters = await startClusters();
  project.provide('clusters', clusters.addresses);
  return () => clusters.stop();
}
