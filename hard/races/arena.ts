import { createRandom } from '@meridian/demo/random';
import type { Random } from '@meridian/demo/random';
import { expect } from 'vitest';
import type { Database } from '../../server/src/db/database.ts';
import { startTestApp } from '../../server/test/app.ts';
import type { SignedIn, TestApp } from '../../server/test/app.ts';
import { note } from '../../server/test/figures.ts';

/** The long run plays more rounds, and from another seed. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 8);
const SEED = process.env['RACE_SEED'] ?? '20261115';
/** The overlap is forced, so what cannot hold breaks at once. */
const NAIVE_ROUNDS = 5;

/** For the title of a file's tests: a failure can be played again. */
export const PLAYED = `${ROUNDS} rounds, seed ${SEED}`;

export type Arena = { api: TestApp; db: TestApp['db']; admin: SignedIn; token: string };

/** As many at once as the pool has room for, less the one who holds the lock and the one who watches. */
export const CROWD = 36;

const POOL = 40;

/** One after the other, and kept: forty at once on a busy machine would not be ready in time for a race. */
async function openConnections(db: Database, count: number): Promise<void> {
  if (count > 0) await db.transaction(() => openConnections(db, count - 1));
}

/** An ordinary PostgreSQL server with room for everybody at once. */
export async function startArena(): Promise<Arena> {
  const env = { DATABASE_POOL_SIZE: String(POOL) };
  const api = await startTestApp('server', { env });
  await openConnections(api.db, POOL);
  const admin = await api.signIn();
  return { api, db: api.db, admin, token: admin.token };
}

/** Plays once, and says what is wrong with what the database then holds; null when nothing is. */
export type Round = (random: Random) => Promise<string | null>;

/** What was wrong after any of the rounds. */
export async function flawsOf(round: Round): Promise<string[]> {
  const flaws = await play(round, ROUNDS);
  const what = expect.getState().currentTestName ?? 'A race';
  note({
    what: what.slice(what.indexOf(' > ') + 3),
    seed: SEED,
    rounds: ROUNDS,
    broken: flaws.length,
  });
  return flaws;
}

async function play(round: Round, rounds: number): Promise<string[]> {
  const flaws: string[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    const flaw = await round(createRandom(`${SEED} ${number}`));
    if (flaw !== null) flaws.push(`round ${number} of seed ${SEED}: ${flaw}`);
  }
  return flaws;
}

/** How many of the rounds a careless version breaks: all of them, or the race is none. */
export async function shareBroken(naive: Round): Promise<number> {
  const flaws = await play(naive, NAIVE_ROUNDS);
  return flaws.length / NAIVE_ROUNDS;
}
