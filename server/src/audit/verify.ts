import type { Db } from '../db/database.ts';
import {
  START,
  countAdmins,
  flawsOf,
  listEntries,
  listOddities,
  listTriggers,
  missing,
  readHead,
} from './audit.store.ts';
import type { ChainedEntry, Link, TableOddity, TriggerRow } from './audit.store.ts';

export type Verification = {
  /** Number of entries, valid or not. */
  entries: number;
  /** The last entry; the start of the chain when there is none. */
  last: Link;
  /** In the order of the chain; empty when it is valid. */
  flaws: string[];
  /** Number of flaws beyond those listed. */
  unlisted: number;
};

const BATCH = 1000;
/** A chain of a million broken entries must not fill the memory. */
const MAX_LISTED = 1000;

/**
 * Reads the whole chain in one snapshot. Each entry is checked against the stored hash of the one
 * before, so that an altered entry is one flaw, not a flaw of all entries after it. `seen` are entries
 * that an earlier run printed; a chain that was rewritten as a whole does not match them.
 */
export async function verifyChain(db: Db, seen: readonly Link[] = []): Promise<Verification> {
  const found: Verification = { entries: 0, last: START, flaws: [], unlisted: 0 };
  const add = (flaws: readonly string[]) => {
    const listed = flaws.slice(0, MAX_LISTED - found.flaws.length);
    found.flaws.push(...listed);
    found.unlisted += flaws.length - listed.length;
  };
  const seenEntries = new SeenEntries(seen);
  let cursor: bigint | null = null;
  for (;;) {
    const batch = await listEntries(db, cursor, BATCH);
    for (const entry of batch) {
      add([...flawsOf(entry, found.last), ...seenEntries.flawsOf(entry)]);
      cursor = BigInt(entry.id);
      if (cursor > found.last.id) found.last = { id: cursor, hash: entry.hash };
    }
    found.entries += batch.length;
    if (batch.length < BATCH) break;
  }
  add([...(await endFlaws(db, found.last)), ...seenEntries.missing()]);
  return found;
}

/** Entries of earlier runs. One number may come with several hashes. */
class SeenEntries {
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
    return [`Entry ${id} is not the one given with --seen`];
  }

  /** Entries that the log does not have. */
  missing(): string[] {
    return [...this.#hashes.keys()].map((id) => `Entry ${id}, given with --seen, is missing`);
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

/** The triggers that protect the log, and the function each of them calls. */
const TRIGGERS = [
  ['audit_log', 'audit_log_chain', 'chain_audit_entry'],
  ['audit_log', 'audit_log_head', 'advance_audit_head'],
  ['audit_log', 'audit_log_append_only', 'refuse_audit_change'],
  ['audit_head', 'audit_head_follows', 'refuse_audit_head_change'],
  ['audit_head', 'audit_head_stays', 'refuse_audit_change'],
] as const;

/** Missing or changed protection: meanwhile entries could have been altered. */
export async function protectionFlaws(db: Db): Promise<string[]> {
  const found = await listTriggers(db);
  const foreign = found.filter(({ name }) => !TRIGGERS.some(([, known]) => known === name));
  return [
    ...missingTriggers(found),
    ...foreign.map(
      ({ name, table_name }) => `The trigger ${name} of ${table_name} is not Meridian's`,
    ),
    ...(await listOddities(db)).flatMap(oddityFlaws),
  ];
}

function oddityFlaws(found: TableOddity): string[] {
  const { table_name: table } = found;
  return [
    ...(found.has_rules ? [`${table} has rules, which can replace what is written to it`] : []),
    ...(found.has_row_security ? [`${table} has row security, which can hide entries`] : []),
    ...(found.has_relatives ? [`${table} inherits from a table, or a table from it`] : []),
  ];
}

/** Triggers that are gone or switched off. */
function missingTriggers(found: readonly TriggerRow[]): string[] {
  return TRIGGERS.flatMap(([table, name, calls]) => {
    const trigger = found.find((one) => one.table_name === table && one.name === name);
    if (trigger?.function_name !== calls || trigger.is_conditional) {
      return [`The trigger ${name}, which protects ${table}, is missing`];
    }
    return trigger.mode === 'A'
      ? []
      : [`The trigger ${name}, which protects ${table}, is not always enabled`];
  });
}

/** Creating an administrator is always recorded, by every way there is. */
export async function emptinessFlaws(db: Db, entries: number): Promise<string[]> {
  if (entries > 0 || (await countAdmins(db)) === 0) return [];
  return ['The audit log is empty, although an administrator was created'];
}
