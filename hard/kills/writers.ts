import type { Endpoint } from '@meridian/contract/endpoint';
import { planCreate } from '@meridian/contract/plans';
import { postUpdate } from '@meridian/contract/posts';
import { ticketIssue } from '@meridian/contract/tickets';
import { createRandom } from '@meridian/demo/random';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { insertPost, insertUser } from '../../server/test/fixtures.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import type { ServerProcess } from '../../server/test/process.ts';
import type { Ledger, Outcome } from './ledger.ts';

const WRITERS = 10;
const PAUSE_MS = 5;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

/** What the writers write about. */
export type Stage = { planId: string; posts: string[] };

/** A post for each writer, a plan for tickets, currencies for prices. */
export async function setStage(db: Db, server: ServerProcess, ledger: Ledger): Promise<Stage> {
  await insertCurrency(db, 'usd');
  await insertCurrency(db, 'eur');
  const { plan } = await server.call(planCreate, { body: planBody({ name: 'for tickets' }) });
  const user = await insertUser(db);
  const posts: string[] = [];
  for (let writer = 0; writer < WRITERS; writer += 1) {
    const id = await insertPost(db, user);
    ledger.posts.set(id, { possible: ['PENDING'], acknowledged: 0, unknown: 0 });
    posts.push(id);
  }
  return { planId: plan.id, posts };
}

/**
 * Lets ten clients write until so many changes were acknowledged, then has the victim killed in
 * their midst. Every one of them notes what it was told.
 */
export async function writeUntilKilled(
  server: ServerProcess,
  { planId, posts }: Stage,
  ledger: Ledger,
  enough: number,
  kill: () => Promise<void>,
): Promise<void> {
  const killed = Promise.withResolvers<void>();
  const progress = { acknowledged: 0, isOver: false };
  const note = (outcome: Outcome) => {
    if (outcome !== 'acknowledged') return;
    progress.acknowledged += 1;
    if (progress.acknowledged !== enough) return;
    // They go on until it is dead, so that it dies in the middle of something.
    killed.resolve(kill().finally(() => (progress.isOver = true)));
  };

  const writer = async (postId: string) => {
    const random = createRandom(postId);
    while (!progress.isOver) {
      const name = randomUUID();
      const write = random.pick([makePlan, issueTicket, issueRefused, moveOn]);
      const outcome = await write(name, postId);
      note(outcome);
      // Asking the dead in a hurry would only keep the living from their work.
      if (outcome === 'unknown') await delay(PAUSE_MS);
    }
  };
  const makePlan = async (name: string) => {
    const prices = { priceMonthly: { usd: 1, eur: 2 }, priceYearly: null };
    const outcome = await tell(server, planCreate, { body: planBody({ name, ...prices }) });
    ledger.plans.set(name, outcome);
    return outcome;
  };
  const issue = async (memo: string, plan: string) => {
    const outcome = await tell(server, ticketIssue, {
      body: { planId: plan, validDays: 30, memo },
    });
    ledger.tickets.set(memo, outcome);
    return outcome;
  };
  const issueTicket = (memo: string) => issue(memo, planId);
  const issueRefused = (memo: string) => issue(memo, UNKNOWN);
  const moveOn = async (_: string, id: string) => {
    const line = ledger.posts.get(id);
    const [from] = line?.possible ?? [];
    // Which of two it is now is not known before the check.
    if (line === undefined || from === undefined || line.possible.length > 1) return 'refused';
    const status = from === 'PENDING' ? 'PROCESSING' : 'PENDING';
    const outcome = await tell(server, postUpdate, { params: { id }, body: { status } });
    if (outcome === 'acknowledged') line.possible = [status];
    if (outcome === 'unknown') line.possible = [from, status];
    if (outcome !== 'refused') line[outcome] += 1;
    return outcome;
  };

  await Promise.all(posts.map(writer));
  await killed.promise;
}

/** Once it is up again, what a post may be is what it is; anything else is for the check to find. */
export async function settlePosts(db: Db, ledger: Ledger): Promise<void> {
  const rows = await db.many<{ id: string; status: string }>(sql`select id, status from posts`);
  for (const { id, status } of rows) {
    const line = ledger.posts.get(id);
    if (line?.possible.includes(status) === true) line.possible = [status];
  }
}

/** A refusal with a reason has changed nothing; whatever else is no answer may have. */
export async function tell<E extends Endpoint>(
  server: ServerProcess,
  endpoint: E,
  input: Parameters<typeof server.send<E>>[1],
): Promise<Outcome> {
  try {
    const { ok, status } = await server.send(endpoint, input);
    if (ok) return 'acknowledged';
    return status >= 400 && status < 500 ? 'refused' : 'unknown';
  } catch {
    return 'unknown';
  }
}
