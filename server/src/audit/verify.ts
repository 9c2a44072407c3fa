import type { Db } from '../db/database.ts';
import { listEntries, readHead } from './audit.store.ts';
import { flawsOf, missing, START } from './chain.ts';
import type { ChainedEntry, Link } from './chain.ts';

export type Verification = {
  /** How many entries there are, whole or not. */
  entries: number;
  /** The last entry there is; before the first one when there is none. */
  last: Link;
  /** What is wrong, in the order of the chain; empty when nothing is. */
  flaws: string[];
  /** How many more there are than are listed. */
  unlisted: number;
};

const BATCH = 1000;
/** Enough to see what was done; a chain of a million broken entries must not fill the memory. */
const MAX_LISTED = 1000;

/**
 * Reads the whole chain, within one snapshot so that a growing one has an end. Each entry is held
 * against the stored hash of the one before: one that was altered does not condemn all after it.
 * `seen` are entries that were noted elsewhere, which a chain written anew could not match.
 */
export async function verifyChain(db: Db, seen: readonly Link[] = []): Promise<Verification> {
  const found: Verification = { entries: 0, last: START, flaws: [], unlisted: 0 };
  const add = (flaws: readonly string[]) => {
    const listed = flaws.slice(0, MAX_LISTED - found.flaws.length);
    found.flaws.push(...listed);
    found.unlisted += flaws.length - listed.length;
  };
  const noted = new NotedEntries(seen);
  let cursor: bigint | null = null;
  for (;;) {
    const batch = await listEntries(db, cursor, BATCH);
    for (const entry of batch) {
      add([...flawsOf(entry, found.last), ...noted.flawsOf(entry)]);
      cursor = BigInt(entry.id);
      if (cursor > found.last.id) found.last = { id: cursor, hash: entry.hash };
    }
    found.entries += batch.length;
    if (batch.length < BATCH) break;
  }
  add([...(await endFlaws(db, found.last)), ...noted.leftOver()]);
  return found;
}

/** What was noted elsewhere. One number may have been noted with several hashes. */
class NotedEntries {
  readonly #hashes = new Map<string, Set<string>>();

  constructor(seen: readonly Link[]) {
    for (const { id, hash } of seen) {
      const hashes = this.#hashes.get(String(id)) ?? new Set();
      this.#hashes.set(String(id), hashes.add(hash));
    }
  }

  flawsOf({ id, hash }: ChainedEntry): string[] {
    const hashes = this.#hashes.get(id);
    this.#hashes.delete(id);
    if (hashes === undefined || (hashes.size === 1 && hashes.has(hash))) return [];
    return [`Entry ${id} is not the one that was noted`];
  }

  /** Those that the log does not have. */
  leftOver(): string[] {
    return [...this.#hashes.keys()].map((id) => `Entry ${id}, which was noted, is missing`);
  }
}

async function endFlaws(db: Db, last: Link): Promise<string[]> {
  const head = await readHead(db);
  if (head === null) return ['audit_head, which keeps the end of the chain, is empty'];
  const id = BigInt(head.last_id);
  if (id > last.id) return [missing(last.id + 1n, id)];
  const isHead = id === last.id && head.hash === last.hash;
  return isHead ? [] : ['The end of the chain that audit_head keeps is not the last entry'];
}
