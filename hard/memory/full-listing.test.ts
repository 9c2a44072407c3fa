import { authMe } from '@meridian/contract/auth';
import { ticketList } from '@meridian/contract/tickets';
import { afterEach, expect, test } from 'vitest';
import { HOST } from '../../server/src/audit/audit.store.ts';
import { createClosers } from '../../server/src/background-task.ts';
import { sql } from '../../server/src/db/sql.ts';
import { createPlansService } from '../../server/src/features/plans/plans.service.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { note } from '../../server/test/figures.ts';
import { insertManyTickets } from '../../server/test/many-tickets.ts';
import { openPatient } from '../../server/test/patient.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';

const COUNT = 62_000;
/** Of which most is garbage that V8 has not collected yet; it does not grow with the list. */
const GROWTH_MB = 200;
const PRELOAD = new URL('./tell-peak.ts', import.meta.url).href;

const closers = createClosers();
afterEach(() => closers.closeAll());

/** Starts the server, works with it, stops it; the most memory it had, in MB. */
async function peakOf(connectionString: string, work: (server: ServerProcess) => Promise<void>) {
  const dataDir = await makeDataDir(closers);
  const server = await ServerProcess.start({
    DATABASE_URL: connectionString,
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=${PRELOAD}`,
  });
  closers.add(async () => void (await server.stop()));
  await server.call(authMe);
  await work(server);
  await server.stop();
  const told = /Peak memory (\d+) kB/.exec(server.output)?.[1];
  if (told === undefined) throw new Error(`No word of its memory:\n${server.output}`);
  return Number(told) / 1024;
}

test('all of 62,000 tickets are listed in bounded memory', async () => {
  // What takes the memory is this process, whichever database it reads from.
  const database = await createTestDatabase('embedded');
  closers.add(() => database.drop());
  const { connectionString } = database;
  const db = openPatient({ connectionString }, 2);
  closers.add(() => db.close());

  // The first run also makes the administrator in whose name the tickets are issued.
  const base = await peakOf(connectionString, async () => {});
  await insertCurrency(db, 'usd');
  const plan = await createPlansService(db).create(HOST, planBody({ tier: 'PREMIUM' }));
  const { id: issuerId } = await db.one<{ id: string }>(sql`select id from admins`);
  await insertManyTickets(db, { planId: plan.id, issuerId, count: COUNT });
  const { codes } = await db.one<{ codes: string[] }>(
    sql`select array_agg(code order by issued_at desc, id desc) as codes from tickets`,
  );

  const peak = await peakOf(connectionString, async (server) => {
    const list = async () => {
      const response = await server.send(ticketList);
      if (response.status === 503) return response.headers.get('retry-after');
      const { tickets } = (await response.json()) as { tickets: { code: string }[] };
      return tickets.map(({ code }) => code);
    };
    // The second waits for the first, and on a slow machine may be told to come back.
    const [first, second] = await Promise.all([list(), list()]);
    const isFirst = Array.isArray(first);
    expect(isFirst ? first : second).toEqual(codes);
    expect([codes, '5']).toContainEqual(isFirst ? second : first);
  });
  note({ what: `All of ${COUNT} tickets`, baseMb: base, peakMb: peak });
  expect(peak - base).toBeLessThan(GROWTH_MB);
});
