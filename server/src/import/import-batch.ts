import type { Client } from 'pg';
import { databaseOn } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { isServerError } from '../db/errors.ts';
import { PLAN_BY_INDEX_LOCALLY } from '../db/plan-by-index.ts';
import type { Outcome } from './import.store.ts';

type Statement = (db: Db, lines: readonly string[]) => Promise<Outcome[]>;

/** A dry run is one transaction that is rolled back at its end, with a savepoint for each batch. */
const REAL = { begin: 'begin', end: 'commit', undo: 'rollback' };
const TRIAL = {
  begin: 'savepoint batch',
  end: 'release savepoint batch',
  undo: 'rollback to savepoint batch',
};

/** Data exceptions, broken constraints, and values beyond a limit: the fault of the line. */
const FAULTS_OF_DATA = /^(?:22|23|54)/;

/**
 * Imports a batch in one transaction. What the database refuses as a whole, or leaves undecided
 * because two lines contradict each other, is imported line by line.
 */
export async function importBatch(
  client: Client,
  statement: Statement,
  lines: readonly string[],
  isDryRun: boolean,
): Promise<Outcome[]> {
  const mode = isDryRun ? TRIAL : REAL;
  const together = await attempt(client, statement, lines, mode);
  const outcomes = typeof together === 'string' ? [] : together.filter(isDecided);
  const decided = new Set(outcomes.map(({ n }) => n));
  for (const [index, line] of lines.entries()) {
    const n = index + 1;
    if (decided.has(n)) continue;
    const alone = await attempt(client, statement, [line], mode);
    if (typeof alone === 'string')
      outcomes.push({ n, isAdded: false, verdict: alone, isOverdue: false });
    else for (const outcome of alone) outcomes.push({ ...outcome, n });
  }
  return outcomes.toSorted((a, b) => a.n - b.n);
}

function isDecided({ isAdded, verdict }: Outcome): boolean {
  return isAdded || verdict !== null;
}

/** The outcome of each line, or why the database refuses them. */
async function attempt(
  client: Client,
  statement: Statement,
  lines: readonly string[],
  { begin, end, undo }: typeof REAL,
): Promise<Outcome[] | string> {
  await client.query(begin);
  try {
    const db = databaseOn(client);
    // While the tables grow their statistics are wrong, and a scan would be chosen too long.
    await db.execute(PLAN_BY_INDEX_LOCALLY);
    const outcomes = await statement(db, lines);
    await client.query(end);
    return outcomes;
  } catch (error) {
    if (!isServerError(error) || !FAULTS_OF_DATA.test(error.code ?? '')) throw error;
    await client.query(undo);
    return `The database refuses it: ${error.message}`;
  }
}
