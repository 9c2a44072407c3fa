import { authMe } from '@meridian/contract/auth';
import { createRandom } from '@meridian/demo/random';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import type { Database } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { killPostgres } from '../../server/test/cluster/postgres-processes.ts';
import { makeScratchFolder } from '../../server/test/cluster/scratch-folder.ts';
import { startTcpServer } from '../../server/test/cluster/tcp-server.ts';
import { copyTemplate, createTemplate } from '../../server/test/cluster/template.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { judge, note } from '../../server/test/figures.ts';
import { openPatient } from '../../server/test/patient.ts';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';
import { findLosses } from './check.ts';
import { countOf, emptyLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { setStage, settlePosts, writeUntilKilled } from './writers.ts';

/** The long run kills more often, and at other moments. */
const KILLS = Number(process.env['KILLS'] ?? 3);
/** Fewer: each takes two starts. */
const KILLS_OF_BOTH = Number(process.env['KILLS_OF_BOTH'] ?? 1);
const SEED = process.env['KILL_SEED'] ?? '20261115';
/** What is promised on a machine of its own. */
const PROMISED_MS: Record<string, number> = {
  'the server': 3_000,
  PostgreSQL: 5_000,
  both: 10_000,
};

/** One call to the system instead of one for each file, a second instead of four; only Linux has it. */
const QUICK_START: Record<string, string> =
  process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {};

const closers = createClosers();
afterEach(() => closers.closeAll());

function open(connection: Parameters<typeof openPatient>[0]): Database {
  const db = openPatient(connection, 2);
  closers.add(() => db.close());
  return db;
}

/** How many are acknowledged before the kill: few or many, so that it meets every kind of moment. */
function moments(victim: string, count: number): number[] {
  const random = createRandom(`${SEED} ${victim}`);
  return Array.from({ length: count }, () => random.int(5, 60));
}

/** What was promised and not kept. */
async function faultsOf(
  victim: string,
  db: Database,
  ledger: Ledger,
  readyMs: readonly number[],
): Promise<string[]> {
  const losses = await findLosses(db, ledger);
  const [acknowledged, unknown, refused] = (['acknowledged', 'unknown', 'refused'] as const).map(
    (outcome) => countOf(ledger, outcome),
  );
  note({
    what: `kill -9 of ${victim}`,
    seed: SEED,
    kills: readyMs.length,
    acknowledged: acknowledged ?? 0,
    unknown: unknown ?? 0,
    refused: refused ?? 0,
    lost: losses.length,
    'ready again, longest, ms': Math.round(Math.max(...readyMs)),
  });
  const longest = Math.round(Math.max(...readyMs));
  const limit = PROMISED_MS[victim] ?? 0;
  judge({
    goal: `kill -9 of ${victim}, ${readyMs.length} times: 0 lost, ready in ${limit} ms`,
    measured: `${losses.length} of ${acknowledged} lost, ready in ${longest} ms at most`,
    isMet: losses.length === 0 && longest <= limit,
  });
  // Else it was not under load, or no kill came in between.
  if (!acknowledged || !unknown || !refused) losses.push('There was nothing to lose');
  return losses;
}

/** What was written so far is safe, whatever the server's settings: a commit takes all before it along. */
async function putOnDisk(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local synchronous_commit = on`);
    await tx.execute(sql`update service_settings set updated_at = updated_at`);
  });
}

async function msUntil(isReady: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  await expect.poll(isReady).toBe(true);
  return performance.now() - startedAt;
}

type Lost = (db: Database, ledger: Ledger) => Promise<boolean>;
const hasLost: Lost = async (db, ledger) => (await findLosses(db, ledger)).length > 0;

/** A PostgreSQL with these settings, killed so often or until enough is lost, under a server that is left alone. */
async function killPostgreSql(
  settings: Record<string, string>,
  kills: number,
  isEnough: Lost = async () => false,
) {
  const scratch = await makeScratchFolder();
  closers.add(() => rm(scratch, { recursive: true, force: true }));
  const folder = join(scratch, 'killed');
  const postgres = await startTcpServer(folder, { ...QUICK_START, ...settings });
  closers.add(() => postgres.stop());
  await createTemplate(postgres.connectionString);
  const connectionString = await copyTemplate(postgres.connectionString, 'killed');
  const env = { DATABASE_URL: connectionString, DATA_DIR: await makeDataDir(closers) };
  const server = await ServerProcess.start(env);
  closers.add(async () => void (await server.stop()));
  const db = open({ connectionString });
  const ledger = emptyLedger();
  const stage = await setStage(db, server, ledger);
  await putOnDisk(db);
  const readyMs: number[] = [];
  for (const enough of moments('PostgreSQL', kills)) {
    await writeUntilKilled(server, stage, ledger, enough, () => postgres.kill());
    await postgres.startAgain();
    readyMs.push(await msUntil(async () => (await server.send(authMe)).ok));
    await settlePosts(db, ledger);
    if (await isEnough(db, ledger)) break;
  }
  return { db, ledger, readyMs };
}

describe(`killed while ten clients write, seed ${SEED}`, () => {
  test(`the server, ${KILLS} times: nothing acknowledged is lost`, async () => {
    const database = await createTestDatabase('server');
    closers.add(() => database.drop());
    const env = { DATABASE_URL: database.connectionString, DATA_DIR: await makeDataDir(closers) };
    let server = await ServerProcess.start(env);
    closers.add(async () => void (await server.stop()));
    const db = open({ connectionString: database.connectionString });
    const ledger = emptyLedger();
    const stage = await setStage(db, server, ledger);
    const token = await server.token();
    const readyMs: number[] = [];
    for (const enough of moments('the server', KILLS)) {
      await writeUntilKilled(server, stage, ledger, enough, () => server.kill());
      const killedAt = performance.now();
      server = (await ServerProcess.start(env)).continueSession(token);
      readyMs.push(performance.now() - killedAt);
      await settlePosts(db, ledger);
    }
    expect(await faultsOf('the server', db, ledger, readyMs)).toEqual([]);
  });

  test(`PostgreSQL, ${KILLS} times: the server goes on by itself`, async () => {
    const { db, ledger, readyMs } = await killPostgreSql({}, KILLS);
    expect(await faultsOf('PostgreSQL', db, ledger, readyMs)).toEqual([]);
  });

  test('a PostgreSQL that acknowledges too early does lose some, and that is found', async () => {
    const early = { synchronous_commit: 'off', wal_writer_delay: '10s' };
    // Mostly at the first kill: now and then the writer of the log wakes just before it.
    const { db, ledger } = await killPostgreSql(early, 10, hasLost);
    expect(await hasLost(db, ledger)).toBe(true);
  });

  test(`the server and its embedded database at once, ${KILLS_OF_BOTH} times: the next start needs no help`, async () => {
    const folder = await makeDataDir(closers);
    const env = { DATA_DIR: folder, DEMO_DATA: 'off' };
    /** Beside the server, on the database that it runs. */
    const beside = () => startEmbeddedDatabase({ dataDir: folder, purpose: 'tool' });
    let server = await ServerProcess.start(env);
    closers.add(async () => void (await server.stop()));
    const ledger = emptyLedger();
    const db = open((await beside()).connection);
    const stage = await setStage(db, server, ledger);
    const token = await server.token();
    const readyMs: number[] = [];
    for (const enough of moments('both', KILLS_OF_BOTH)) {
      const { pid } = await beside();
      const kill = async () => void (await Promise.all([server.kill(), killPostgres(pid)]));
      await writeUntilKilled(server, stage, ledger, enough, kill);
      const killedAt = performance.now();
      server = (await ServerProcess.start(env)).continueSession(token);
      readyMs.push(performance.now() - killedAt);
      await settlePosts(db, ledger);
    }
    expect(await faultsOf('both', db, ledger, readyMs)).toEqual([]);
  });
});
