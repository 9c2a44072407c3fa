import { isUuid } from '../http/uuid.ts';
import { sha256Hex } from './sha256.ts';

export const PLANS_FOLDER = 'plans';
const INDEX_FILE = 'index.json';
export const INDEX_KEY = `${PLANS_FOLDER}/${INDEX_FILE}`;

/** Whatever the public may see of a plan; the caller has chosen the fields. */
export type PublicPlan = { readonly id: string };

/** What the folder holds: the index (null: none) and the bytes of every plan's file by its key. */
export type PublishedSet = {
  readonly index: Uint8Array | null;
  readonly files: ReadonlyMap<string, Uint8Array>;
};

export function planFileKey(id: string): string {
  return `${PLANS_FOLDER}/${id}.json`;
}

export function isPlanFileKey(key: string): boolean {
  const name = key.slice(PLANS_FOLDER.length + 1, -'.json'.length);
  return isUuid(name) && key === planFileKey(name);
}

/**
 * The index carries every plan in full, so that one file is one complete snapshot. Each plan's own
 * file carries the revision of the index it belongs to, so that a reader of both can tell.
 */
export function composeSet(plans: readonly PublicPlan[], publishedAt: string): PublishedSet {
  const revision = revisionOf(plans, publishedAt);
  const files = plans.map((plan): [string, Uint8Array] => [
    planFileKey(plan.id),
    toJson({ ...plan, revision, publishedAt }),
  ]);
  return { index: toJson({ revision, publishedAt, plans }), files: new Map(files) };
}

/** The whole set that an index of ours stands for; null when it is someone else's or damaged. */
export function readSet(index: Uint8Array): PublishedSet | null {
  const content = parseJson(index);
  if (content === null || typeof content !== 'object') return null;
  if (!('plans' in content) || !('publishedAt' in content) || !('revision' in content)) return null;
  const { plans, publishedAt, revision } = content;
  if (!Array.isArray(plans) || !plans.every(isPlan) || typeof publishedAt !== 'string') return null;
  if (revision !== revisionOf(plans, publishedAt)) return null;
  return { ...composeSet(plans, publishedAt), index };
}

/** The folder's files by their names within it. */
export function folderFiles({ index, files }: PublishedSet): Map<string, Uint8Array> {
  const byName = new Map<string, Uint8Array>();
  for (const [key, bytes] of files) byName.set(key.slice(PLANS_FOLDER.length + 1), bytes);
  if (index !== null) byName.set(INDEX_FILE, index);
  return byName;
}

function isPlan(value: unknown): value is PublicPlan {
  if (value === null || typeof value !== 'object' || !('id' in value)) return false;
  return typeof value.id === 'string' && isUuid(value.id);
}

function revisionOf(plans: readonly PublicPlan[], publishedAt: string): string {
  return sha256Hex(JSON.stringify([publishedAt, plans])).slice(0, 32);
}

function toJson(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    // Not JSON: not ours, which is all the caller asks.
    return null;
  }
}
