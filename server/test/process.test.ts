import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { planCreate, planGet, planList } from '@meridian/contract/plans';
import { settingsGet, settingsUpdate } from '@meridian/contract/settings';
import { currencyCreate, currencyList } from '@meridian/contract/currencies';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { createTestDatabase } from './cluster/test-database.ts';
import { failedStart, makeDataDir, ServerProcess } from './process.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function dataDir(): Promise<string> {
  const folder = await makeDataDir();
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await ServerProcess.start({ DEMO_DATA: 'off', ...env });
  cleanups.push(() => server.stop());
  return server;
}

async function testServerDatabase(): Promise<string> {
  const database = await createTestDatabase('server');
  cleanups.push(() => database.drop());
  return database.connectionString;
}

/** What every plan names as its currency. */
const dollar = { code: 'usd', name: 'US Dollar', symbol: '$' };
const plan = (name: string) => ({
  tier: 'BASIC' as const,
  name,
  displayName: { en: name },
  description: { en: 'A plan' },
  priceMonthly: null,
  priceYearly: null,
  limits: {},
});

describe('killed while it writes', () => {
  test(
    'it loses nothing it acknowledged, and starts again without repair',
    { timeout: 120_000 },
    async () => {
      const folder = await dataDir();
      const acknowledged: string[] = [];
      let serial = 0;
      for (let round = 0; round < 3; round += 1) {
        const server = await start({ DATA_DIR: folder });
        await server.token();
        if (round === 0) await server.call(currencyCreate, { body: dollar });
        const enough = acknowledged.length + 40;
        const write = async () => {
          for (;;) {
            serial += 1;
            const name = `plan-${serial}`;
            await server.call(planCreate, { body: plan(name) });
            acknowledged.push(name);
            // In the middle of the others' writes, not after them.
            if (acknowledged.length === enough) await server.kill();
          }
        };
        const writers = await Promise.allSettled(Array.from({ length: 8 }, write));
        expect(writers.every(({ status }) => status === 'rejected')).toBe(true);
      }
      const server = await start({ DATA_DIR: folder });
      const { plans } = await server.call(planList, {
        query: { includeInactive: true, includeInvisible: true },
      });
      const names = plans.map(({ name }) => name);
      expect(acknowledged.length).toBeGreaterThanOrEqual(120);
      expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    },
  );
});

describe('several processes', () => {
  test("start at once on one PostgreSQL and see each other's changes", async () => {
    const url = await testServerDatabase();
    // Back to an empty schema: all of them race to migrate it and to make the first administrator.
    const db = openDatabase({ connectionString: url }, { onError: () => {} });
    await db.execute(sql`drop schema public cascade`);
    await db.execute(sql`create schema public`);
    await db.close();
    const folders = await Promise.all([dataDir(), dataDir(), dataDir()]);
    const servers = await Promise.all(
      folders.map((folder) => start({ DATABASE_URL: url, DATA_DIR: folder })),
    );
    const [first, second, third] = servers;
    if (!first || !second || !third) throw new Error('three were started');

    await first.call(currencyCreate, { body: dollar });
    const { plan: made } = await first.call(planCreate, { body: plan('shared') });
    expect((await second.call(planGet, { params: { id: made.id } })).plan.name).toBe('shared');
    await Promise.all([
      second.call(settingsUpdate, { body: { is_closed_beta: true } }),
      third.call(settingsUpdate, { body: { is_service_suspended: true } }),
    ]);
    expect(await first.call(settingsGet)).toMatchObject({
      is_closed_beta: true,
      is_service_suspended: true,
    });
  });

  test('a second one on the same embedded folder refuses with a sentence', async () => {
    const folder = await dataDir();
    const server = await start({ DATA_DIR: folder });
    const { code, stderr } = await failedStart({ DATA_DIR: folder, DEMO_DATA: 'off' });
    expect(code).toBe(1);
    expect(stderr).toContain(folder);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    // The first one goes on as if nothing had happened.
    expect(await server.call(settingsGet)).toMatchObject({ is_closed_beta: false });
  });
});

async function portInUse() {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => blocker.close(resolve)));
  const { port } = blocker.address() as AddressInfo; // a TCP listener has no other kind
  return { PORT: String(port), DATABASE_URL: await testServerDatabase() };
}

async function unwritableFolder() {
  const file = join(await dataDir(), 'a-file');
  await writeFile(file, 'in the way');
  return { DATA_DIR: join(file, 'data') };
}

async function newerSchema() {
  const url = await testServerDatabase();
  const db = openDatabase({ connectionString: url }, { onError: () => {} });
  await db.execute(
    sql`insert into schema_migrations (version, name, checksum) values (9999, 'later', 'x')`,
  );
  await db.close();
  return { DATABASE_URL: url };
}

const UNREACHABLE = 'postgresql://meridian:hunter2-secret@127.0.0.1:1/meridian';

test.each([
  ['a port in use', portInUse, /^Cannot listen on 127\.0\.0\.1:\d+: the port is in use/],
  ['an unwritable data folder', unwritableFolder, /a-file\S* cannot be written/],
  [
    'an unreachable database',
    async () => ({ DATABASE_URL: UNREACHABLE }),
    /^Cannot reach the database at 127\.0\.0\.1:1\b.*DATABASE_URL/,
  ],
  ['a newer schema', newerSchema, /schema is newer/],
  ['a malformed setting', async () => ({ PORT: 'eighty' }), /PORT/],
])('%s ends the start with one sentence and exit code 1', async (_case, arrange, sentence) => {
  const { code, stderr } = await failedStart({ DATA_DIR: await dataDir(), ...(await arrange()) });
  const lines = stderr.trim().split('\n');
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(sentence)]);
  expect(stderr).not.toContain('hunter2');
});

test('SIGTERM ends it cleanly, and the next start finds everything', async () => {
  const folder = await dataDir();
  const server = await ServerProcess.start({ DATA_DIR: folder, DEMO_DATA: 'off' });
  await server.call(currencyCreate, { body: { code: 'chf', name: 'Swiss franc', symbol: 'Fr.' } });
  expect(await server.stop()).toBe(0);
  const again = await start({ DATA_DIR: folder });
  const { currencies } = await again.call(currencyList, { query: { includeInactive: true } });
  expect(currencies.map(({ code }) => code)).toContain('chf');
});
