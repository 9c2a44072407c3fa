import type { Db } from '../db/database.ts';
import { listEntries, readHead } from './audit.store.ts';
import { flawOf, START } from './chain.ts';
import type { Link } from './chain.ts';

export type Verdict = {
  /** How far the chain is whole. */
  last: Link;
  /** What is wrong with the first entry that is not; null when all are. */
  flaw: string | null;
};

const BATCH = 1000;

/**
 * Walks the whole chain, within one snapshot so that a growing one has an end. `seen` are places of
 * it that somebody noted elsewhere; who rewrote everything from there on could not know them.
 */
export async function verifyChain(db: Db, seen: readonly Link[] = []): Promise<Verdict> {
  const noted = new Map(seen.map(({ id, hash }) => [id, hash]));
  let last = START;
  for (;;) {
    const entries = await listEntries(db, last.id, BATCH);
    for (const entry of entries) {
      const flaw = flawOf(entry, last) ?? notedFlaw(entry, noted);
      if (flaw !== null) return { last, flaw };
      last = { id: BigInt(entry.id), hash: entry.hash };
    }
    if (entries.length < BATCH) break;
  }
  return { last, flaw: await endFlaw(db, last, noted) };
}

function notedFlaw(entry: { id: string; hash: string }, noted: ReadonlyMap<bigint, string>) {
  const hash = noted.get(BigInt(entry.id));
  if (hash === undefined || hash === entry.hash) return null;
  return `Entry ${entry.id} is not the one that was noted`;
}

async function endFlaw(db: Db, last: Link, noted: ReadonlyMap<bigint, string>) {
  const next = `Entry ${last.id + 1n} is missing`;
  if ([...noted.keys()].some((id) => id > last.id)) return next;
  const head = await readHead(db);
  if (BigInt(head.last_id) > last.id) return next;
  const isHead = BigInt(head.last_id) === last.id && head.hash === last.hash;
  return isHead ? null : 'The end of the chain is not the last entry';
}
