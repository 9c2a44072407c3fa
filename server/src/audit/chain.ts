import { createHash } from 'node:crypto';

/** An entry as it is hashed: every field in the text form of the database. */
export type ChainedEntry = {
  id: string;
  at: string;
  actor_id: string | null;
  actor_name: string;
  action: string;
  entity: string;
  entity_id: string | null;
  before: string | null;
  after: string | null;
  request_id: string | null;
  network: string | null;
  reason: string | null;
  batch: string | null;
  previous_hash: string;
  hash: string;
};

/** The end of a chain, or of the part of it that was read. */
export type Link = { id: bigint; hash: string };

/** Precedes the first entry. */
export const START: Link = { id: 0n, hash: '00'.repeat(32) };

/** The flaws of an entry that should follow this link. */
export function flawsOf(entry: ChainedEntry, before: Link): string[] {
  const id = BigInt(entry.id);
  // Ids start at 1, and entries are read in order.
  if (id <= before.id) return [`Entry ${id} does not belong to the chain`];
  const flaws = [];
  // A gap is one flaw, not two.
  if (id > before.id + 1n) flaws.push(missing(before.id + 1n, id - 1n));
  else if (entry.previous_hash !== before.hash) {
    flaws.push(`Entry ${id} does not follow the one before`);
  }
  if (entry.hash !== hashOf(entry)) flaws.push(`Entry ${id} is not as it was written`);
  return flaws;
}

export function missing(first: bigint, last: bigint): string {
  return first === last ? `Entry ${first} is missing` : `Entries ${first} to ${last} are missing`;
}

/** Computed independently of the trigger that wrote the entry. */
function hashOf(entry: ChainedEntry): string {
  const fields = [
    entry.id,
    entry.at,
    entry.actor_id,
    entry.actor_name,
    entry.action,
    entry.entity,
    entry.entity_id,
    entry.before,
    entry.after,
    entry.request_id,
    entry.network,
    // Left out when both are null: entries from before these columns are hashed the same way.
    ...(entry.reason === null && entry.batch === null ? [] : [entry.reason, entry.batch]),
  ];
  return createHash('sha256')
    .update(Buffer.from(entry.previous_hash, 'hex'))
    .update(fields.map((field) => field ?? '').join('\n'))
    .digest('hex');
}
