import { currencyCreate, currencyList } from '@meridian/contract/currencies';
import { planCreate, planGet } from '@meridian/contract/plans';
import { PLAN_BODY } from '@meridian/contract/samples';
import { settingsGet, settingsUpdate } from '@meridian/contract/settings';
import { afterEach, describe, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { sql } from '../../server/src/db/sql.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { openPatient } from '../../server/test/patient.ts';
import { ServerProcess, failedStart, makeDataDir } from '../../server/test/process.ts';

const closers = createClosers();
afterEach(() => closers.closeAll());

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await ServerProcess.start({ DEMO_DATA: 'off', ...env });
  closers.add(async () => void (await server.stop()));
  return server;
}

async function testServerDatabase(): Promise<string> {
  const database = await createTestDatabase('server');
  closers.add(() => database.drop());
  return database.connectionString;
}

/** What every plan names as its currency. */
const dollar = { code: 'usd', name: 'US Dollar', symbol: '$' };
const plan = (name: string) => ({ ...PLAN_BODY, name });

describe('several processes', () => {
  test("start at once on one PostgreSQL and see each other's changes", async () => {
    const url = await testServerDatabase();
    // Back to an empty schema: all of them race to migrate it and to make the first administrator.
    const db = openPatient({ connectionString: url });
    await db.execute(sql`drop schema public cascade`);
    await db.execute(sql`create schema public`);
    await db.close();
    const folders = await Promise.all([1, 2, 3].map(() => makeDataDir(closers)));
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
});

test('a second one on the same embedded folder refuses; after SIGTERM the next finds everything', async () => {
  const folder = await makeDataDir(closers);
  const server = await start({ DATA_DIR: folder });
  const { code, stderr } = await failedStart({ DATA_DIR: folder, DEMO_DATA: 'off' });
  expect(code).toBe(1);
  expect(stderr).toContain(folder);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  // The first one goes on as if nothing had happened.
  await server.call(currencyCreate, { body: { code: 'chf', name: 'Swiss franc', symbol: 'Fr.' } });
  expect(await server.stop()).toBe(0);
  const again = await start({ DATA_DIR: folder });
  const { currencies } = await again.call(currencyList, { query: { includeInactive: true } });
  expect(currencies.map(({ code: found }) => found)).toContain('chf');
});
