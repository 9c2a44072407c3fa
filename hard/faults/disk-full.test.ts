import { planCreate, planPublish } from '@meridian/contract/plans';
import { settingsGet } from '@meridian/contract/settings';
import { ticketIssue } from '@meridian/contract/tickets';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { open, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { verifyChain } from '../../server/src/audit/verify.ts';
import { createClosers } from '../../server/src/background-task.ts';
import type { Database } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { judge } from '../../server/test/figures.ts';
import { openPatient } from '../../server/test/patient.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';

const run = promisify(execFile);
/** Room for a cluster and its log, and soon full. */
const SIZE = '320m';
const RECOVERS_MS = 15_000;
/** Refusals in a row, after which the disk counts as full for changes. */
const ENOUGH = 20;
/** More than fit on the disk. */
const LOG_FILES = 40;
const WRITERS = 4;

const closers = createClosers();
afterEach(() => closers.closeAll());

/** A disk of its own. */
async function smallDisk(): Promise<string> {
  const folder = await makeDataDir(closers);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', folder]);
  closers.add(async () => void (await run('umount', ['--lazy', folder])));
  return folder;
}

/** Only in the long run, as it takes a disk in memory; and only where this account may mount one. */
async function isTried(): Promise<boolean> {
  if (process.env['FULL_DISK'] === undefined) return false;
  try {
    await smallDisk();
    return true;
  } catch {
    process.stderr.write(
      'F6 is skipped: this account may not mount a small disk (it needs root).\n',
    );
    return false;
  } finally {
    await closers.closeAll();
  }
}

const IS_TRIED = await isTried();

/** Takes every byte that is left. */
async function fill(disk: string): Promise<void> {
  const file = await open(join(disk, 'ballast'), 'a');
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      const chunk = Buffer.alloc(size);
      for (;;) await file.write(chunk);
    }
  } catch {
    // No space left.
  } finally {
    await file.close();
  }
}

/** The log has room in files it has used before; goes on until the next one would have to be made. */
async function exhaustLog(db: Database): Promise<boolean> {
  for (let file = 0; file < LOG_FILES; file += 1) {
    try {
      await db.execute(sql`select pg_logical_emit_message(true, 'full', 'disk')`);
      await db.execute(sql`select pg_switch_wal()`);
    } catch {
      return true;
    }
  }
  return false;
}

type Told = { acknowledged: string[]; unavailable: number; other: number[] };

/** Makes tickets, several at once, until changes are refused so often in a row. */
function writeUntilRefused(server: ServerProcess, planId: string) {
  const told: Told = { acknowledged: [], unavailable: 0, other: [] };
  let inARow = 0;
  const writer = async () => {
    while (inARow < ENOUGH) {
      const memo = randomUUID();
      const { status } = await server.send(ticketIssue, { body: { planId, validDays: 30, memo } });
      inARow = status === 503 ? inARow + 1 : 0;
      if (status === 201) told.acknowledged.push(memo);
      else if (status === 503) told.unavailable += 1;
      else told.other.push(status);
    }
  };
  return { told, refused: Promise.all(Array.from({ length: WRITERS }, writer)) };
}

async function msUntilChanged(server: ServerProcess, planId: string): Promise<number> {
  const startedAt = performance.now();
  const change = () => server.send(ticketIssue, { body: { planId, validDays: 30 } });
  await expect.poll(async () => (await change()).status).toBe(201);
  return Math.round(performance.now() - startedAt);
}

/** Asks /readyz until it answers with that status, for as long as it may take to notice. */
async function msUntilReadiness(server: ServerProcess, status: number): Promise<number> {
  const startedAt = performance.now();
  const readiness = () => fetch(new URL('/readyz', server.url));
  await expect.poll(async () => (await readiness()).status).toBe(status);
  return Math.round(performance.now() - startedAt);
}

async function missing(db: Database, memos: readonly string[]): Promise<string[]> {
  const rows = await db.many<{ memo: string }>(sql`
    select memo from unnest(${memos}::text[]) as told (memo)
    where 1 <> (select count(*) from tickets t where t.memo = told.memo)`);
  return rows.map(({ memo }) => memo);
}

async function publishedFiles(disk: string): Promise<Map<string, string>> {
  const entries = await readdir(disk, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path, await readFile(path, 'utf8')] as const;
  });
  return new Map(await Promise.all(texts));
}

describe('a disk that is full, under the embedded database', () => {
  describe.skipIf(!IS_TRIED).each([
    { what: 'tables cannot grow', isLogFull: false },
    { what: 'the log cannot grow', isLogFull: true },
  ])('F6: $what', ({ what, isLogFull }) => {
    test('changes are refused, and nothing acknowledged is lost', async () => {
      const disk = await smallDisk();
      const server = await ServerProcess.start({ DATA_DIR: disk, DEMO_DATA: 'off' });
      closers.add(async () => void (await server.stop()));
      const beside = () => startEmbeddedDatabase({ dataDir: disk, purpose: 'tool' });
      const db = openPatient((await beside()).connection, 2);
      closers.add(() => db.close());
      await insertCurrency(db, 'usd');
      const { plan } = await server.call(planCreate, { body: planBody() });
      await server.call(planPublish);
      const published = await publishedFiles(disk);
      expect(published.size).toBeGreaterThan(0);

      await msUntilReadiness(server, 200);
      const { told, refused } = writeUntilRefused(server, plan.id);
      await expect.poll(() => told.acknowledged.length).toBeGreaterThan(ENOUGH);
      const { pid } = await beside();
      await fill(disk);
      expect(!isLogFull || (await exhaustLog(db))).toBe(true);
      await refused;
      expect(told.other).toEqual([]);
      expect(told.unavailable).toBeGreaterThanOrEqual(ENOUGH);
      const noticedMs = await msUntilReadiness(server, 503);
      expect([200, 503]).toContain((await server.send(settingsGet)).status);
      expect((await server.send(planPublish)).status).toBeGreaterThanOrEqual(500);
      // Half a file never stands where a whole one stood.
      expect(await publishedFiles(disk)).toEqual(published);
      expect(server.isRunning).toBe(true);

      await rm(join(disk, 'ballast'));
      const backMs = await msUntilChanged(server, plan.id);
      const readyMs = await msUntilReadiness(server, 200);
      // A log that cannot be written ends PostgreSQL; it is started again, and the server stays.
      expect(!isLogFull || (await beside()).pid !== pid).toBe(true);
      const lost = await missing(db, told.acknowledged);
      expect(lost).toEqual([]);
      expect((await verifyChain(db)).flaws).toEqual([]);
      expect(await db.many(sql`select * from counter_differences`)).toEqual([]);
      judge({
        goal: `F6: disk full, ${what}: changes 503, back within 15 s, 0 lost`,
        measured: `${told.unavailable} refused, not ready in ${noticedMs} ms, back in ${backMs} ms, ready ${readyMs} ms later, ${lost.length} of ${told.acknowledged.length} lost`,
        isMet: Math.max(backMs, noticedMs, readyMs) <= RECOVERS_MS,
      });
    });
  });

  test.skipIf(!IS_TRIED)('is noticed by /readyz while nothing is written', async () => {
    const disk = await smallDisk();
    const server = await ServerProcess.start({ DATA_DIR: disk, DEMO_DATA: 'off' });
    closers.add(async () => void (await server.stop()));
    await msUntilReadiness(server, 200);
    await fill(disk);
    const noticedMs = await msUntilReadiness(server, 503);
    const answer = await fetch(new URL('/readyz', server.url));
    expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'disk_full' });
    await rm(join(disk, 'ballast'));
    const readyMs = await msUntilReadiness(server, 200);
    judge({
      goal: 'F6: disk full, idle: /readyz 503 and 200 again, each within 15 s',
      measured: `503 after ${noticedMs} ms, 200 after ${readyMs} ms`,
      isMet: Math.max(noticedMs, readyMs) <= RECOVERS_MS,
    });
  });
});
