import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { ClusterAddresses, Engine } from './clusters.ts';
import { copyTemplate, dropDatabase } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    clusters: ClusterAddresses;
  }
}

export type TestDatabase = { connectionString: string; drop(): Promise<void> };

/** An empty, migrated database of the test file's own. `drop` throws out who is still connected. */
export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  const address = inject('clusters')[engine];
  const name = `test_${randomBytes(8).toString('hex')}`;
  const connectionString = await copyTemplate(address, name);
  return { connectionString, drop: () => dropDatabase(address, name) };
}
