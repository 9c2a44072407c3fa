import { authMe } from '@meridian/contract/auth';
import { settingsGet } from '@meridian/contract/settings';
import { ticketIssue } from '@meridian/contract/tickets';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { makeScratchFolder } from '../../server/test/cluster/scratch-folder.ts';
import { startTcpServer } from '../../server/test/cluster/tcp-server.ts';
import { copyTemplate, createTemplate } from '../../server/test/cluster/template.ts';
import { judge } from '../../server/test/figures.ts';
import { openPatient } from '../../server/test/patient.ts';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';
import { findLosses } from './check.ts';
import { countOf, emptyLedger } from './ledger.ts';
import { setStage, tell } from './writers.ts';

/** Only in the long run: it takes as long as it is told to. */
const RESTARTS = Number(process.env['RESTARTS'] ?? 0);
const EVERY_MS = Number(process.env['RESTART_EVERY_MS'] ?? 20_000);
const CLIENTS = 8;
const PACE_MS = 20;
/** After the database answers again, this long the pool may still hand out broken connections. */
const AFTER_MS = 1_000;

type Span = { from: number; to: number };

const closers = createClosers();
afterEach(() => closers.closeAll());

async function startWithDatabase() {
  const scratch = await makeScratchFolder();
  closers.add(() => rm(scratch, { recursive: true, force: true }));
  const postgres = await startTcpServer(join(scratch, 'restarted'), {});
  closers.add(() => postgres.stop());
  await createTemplate(postgres.connectionString);
  const connectionString = await copyTemplate(postgres.connectionString, 'restarted');
  const dataDir = await makeDataDir(closers);
  const server = await ServerProcess.start({ DATABASE_URL: connectionString, DATA_DIR: dataDir });
  closers.add(async () => void (await server.stop()));
  const db = openPatient({ connectionString }, 2);
  closers.add(() => db.close());
  return { postgres, server, db };
}

async function untilReady(server: ServerProcess): Promise<void> {
  await expect.poll(async () => (await server.send(authMe)).ok).toBe(true);
}

test.skipIf(RESTARTS === 0)(
  `F4: the database restarts ${RESTARTS} times under load: errors only meanwhile, nothing lost`,
  async () => {
    const { postgres, server, db } = await startWithDatabase();
    const ledger = emptyLedger();
    const { planId } = await setStage(db, server, ledger);
    const failures: Span[] = [];
    const gaps: Span[] = [];
    const progress = { asked: 0, isOver: false };

    const client = async (_: unknown, number: number) => {
      while (!progress.isOver) {
        const memo = randomUUID();
        const from = performance.now();
        progress.asked += 1;
        if (number % 2 === 0) {
          const outcome = await tell(server, ticketIssue, {
            body: { planId, validDays: 30, memo },
          });
          ledger.tickets.set(memo, outcome);
          if (outcome !== 'acknowledged') failures.push({ from, to: performance.now() });
        } else if ((await tell(server, settingsGet, {})) !== 'acknowledged') {
          failures.push({ from, to: performance.now() });
        }
        await delay(PACE_MS);
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      await delay(EVERY_MS);
      const from = performance.now();
      await postgres.kill();
      await postgres.startAgain();
      await untilReady(server);
      gaps.push({ from, to: performance.now() + AFTER_MS });
    }
    await delay(AFTER_MS);
    progress.isOver = true;
    await clients;

    const isInGap = (failure: Span) =>
      gaps.some((gap) => failure.from < gap.to && failure.to > gap.from);
    const stray = failures.filter((failure) => !isInGap(failure)).length;
    const losses = await findLosses(db, ledger);
    const longest = Math.max(...gaps.map(({ from, to }) => to - AFTER_MS - from));
    judge({
      goal: `F4: ${RESTARTS} restarts under load: errors only meanwhile, 0 lost`,
      measured: `${progress.asked} asked, ${failures.length} failed, ${stray} of them outside; ${losses.length} of ${countOf(ledger, 'acknowledged')} lost; away ${Math.round(longest)} ms at most`,
      isMet: stray === 0 && losses.length === 0,
    });
    expect(failures.length).toBeGreaterThan(0);
    expect(losses).toEqual([]);
    expect(server.isRunning).toBe(true);
  },
);
