import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openPatient } from '../patient.ts';
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

/** One for all tests of a block, and connections to it. */
export function setUpDatabase(engine: Engine): { database: TestDatabase; db: Database } {
  const [database, db] = [{} as TestDatabase, {} as Database]; // filled before any test reads them
  beforeAll(async () => {
    Object.assign(database, await createTestDatabase(engine));
    Object.assign(db, openPatient({ connectionString: database.connectionString }));
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  return { database, db };
}
