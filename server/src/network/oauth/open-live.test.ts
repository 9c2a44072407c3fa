import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/cluster/test-database.ts';
import { createClosers } from '../../background-task.ts';
import { readConfig } from '../../config.ts';
import { latestVersion } from '../../db/migrate.ts';
import { createFoundation } from '../../foundation.ts';
import { createLog } from '../../log.ts';
import { createObjectStore } from '../../objects/object-store.ts';
import { masterKeys } from '../../vault/vault.ts';
import { newMasterKey } from '../testing/test-live.ts';
import { openLive } from './live-network.ts';

const PUBLIC_URL = 'https://posts.example.com';
const KEY = newMasterKey();

let closers = createClosers();
let connectionString: string;
let dataDir: string;
beforeEach(async () => {
  closers = createClosers();
  const database = await createTestDatabase('embedded');
  closers.add(() => database.drop());
  ({ connectionString } = database);
  dataDir = await mkdtemp(join(tmpdir(), 'meridian-live-'));
  closers.add(() => rm(dataDir, { recursive: true }));
});
afterEach(() => closers.closeAll());

/** What a start says and made, or the sentence that it ends with. */
async function start(env: Record<string, string>) {
  const config = readConfig({ NETWORK: 'live', DATA_DIR: dataDir, ...env });
  const foundation = createFoundation({
    config,
    log: createLog('silent'),
    connection: { connectionString },
    objects: createObjectStore(config.objectStore),
    schemaVersion: await latestVersion(),
  });
  const said: string[] = [];
  try {
    const live = await openLive(foundation, (line) => said.push(line));
    await live.close();
    return { said, jwks: live.jwks };
  } catch (error) {
    return { said, sentence: error instanceof Error ? error.message : error };
  } finally {
    await foundation.close();
  }
}

test('the embedded database gets a key at the first start, and keeps it', async () => {
  const first = await start({ PUBLIC_URL });
  expect(first.said).toEqual([
    expect.stringMatching(/^Made .*\/engine-key, the key to the accounts of people; keep a copy/),
  ]);
  expect(await start({ PUBLIC_URL })).toEqual({ said: [], jwks: first.jwks });
  // Another key opens nothing of it; several keys are tried.
  const { id } = masterKeys(KEY)[0];
  const wrong = await start({ PUBLIC_URL, ENGINE_KEY: KEY });
  expect(wrong.sentence).toMatch(
    /^ENGINE_KEY and ENGINE_KEY_FILE lack the key [0-9a-f]{16} that encrypts the access to accounts/,
  );
  expect(wrong.sentence).not.toContain(id);
  expect(wrong.sentence).not.toContain(KEY);
  await rm(join(dataDir, 'engine-key'));
  expect((await start({ PUBLIC_URL })).sentence).toBe(wrong.sentence);
});

test('two processes that start at the same time share one client key', async () => {
  const started = await Promise.all(
    Array.from({ length: 4 }, () => start({ PUBLIC_URL, ENGINE_KEY: KEY })),
  );
  expect(new Set(started.map(({ jwks }) => JSON.stringify(jwks))).size).toBe(1);
});

test('without PUBLIC_URL, or without a key for a server, it does not start', async () => {
  expect((await start({})).sentence).toMatch(/^NETWORK=live needs PUBLIC_URL, the https address/);
  const DATABASE_URL = 'postgresql://db.example.com/meridian';
  expect((await start({ PUBLIC_URL, DATABASE_URL })).sentence).toMatch(
    /^NETWORK=live with DATABASE_URL needs ENGINE_KEY_FILE or ENGINE_KEY/,
  );
});
