import { createHash } from 'node:crypto';

/** An entry as it is hashed: every field in the text that the database gives of it. */
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
  previous_hash: string;
  hash: string;
};

/** The end of a chain, or of the part of it that was walked. */
export type Link = { id: bigint; hash: string };

/** What the first entry follows. */
export const START: Link = { id: 0n, hash: '00'.repeat(32) };

/** What is wrong with an entry that should follow this link; null when nothing is. */
export function flawOf(entry: ChainedEntry, before: Link): string | null {
  const expected = before.id + 1n;
  if (BigInt(entry.id) !== expected) return `Entry ${expected} is missing`;
  if (entry.previous_hash !== before.hash)
    return `Entry ${expected} does not follow the one before`;
  if (entry.hash !== hashOf(entry)) return `Entry ${expected} is not as it was written`;
  return null;
}

/** Made here a second time, and not by the trigger that made it first. */
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
  ];
  return createHash('sha256')
    .update(Buffer.from(entry.previous_hash, 'hex'))
    .update(fields.map((field) => field ?? '').join('\n'))
    .digest('hex');
}
