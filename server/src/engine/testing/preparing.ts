import { ObjectStoreError, ObjectTooLargeError } from '../../objects/objects.ts';
import type { NetworkResponse } from '../../network/network.ts';
import type { ClaimedPost } from '../claim.ts';
import { prepare } from '../prepare.ts';
import type { Prepared } from '../prepare.ts';
import { responded } from './responses.ts';

export const NOW = Date.UTC(2026, 10, 16, 13);
export const DID = 'did:plc:wzp7sz4nua4bhabqwn5lt4vn';

/** The first bytes decide about the type; the rest is padding. */
export function png(size = 64): Buffer {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(size - 8, size)]);
}

/** What the object store holds. A null stands for a store that does not respond. */
export type Stored = Record<string, Buffer | null>;

export function postOf(fields: Partial<ClaimedPost>): ClaimedPost {
  return {
    id: '5c4ed000-0000-4000-8000-000000000001',
    userId: '0b5e1000-0000-4000-8000-000000000001',
    did: DID,
    host: 'pds.example',
    attempt: 1,
    dueAt: NOW,
    scheduledAt: new Date(NOW),
    wasPending: true,
    hasTurn: false,
    isDoubtful: false,
    tooLate: null,
    previousCause: null,
    content: 'Hello',
    facets: null,
    embed: null,
    languages: [],
    replyTo: null,
    thread: null,
    ...fields,
  };
}

export type Around = {
  stored?: Stored;
  records?: Record<string, NetworkResponse>;
  now?: number;
};

/** Prepares a post of these fields with this object store and these records on the host. */
export function prepared(
  fields: Partial<ClaimedPost>,
  { stored = {}, records = {}, now = NOW }: Around = {},
): Promise<Prepared> {
  return prepare(postOf(fields), {
    now,
    account: { userId: 'u', did: DID, host: 'pds.example' },
    network: {
      getRecord: async (host, repo, rkey) =>
        records[`${host} ${repo} ${rkey}`] ?? responded(400, 'RecordNotFound'),
    },
    objects: {
      async get(key, maxBytes = Infinity) {
        const bytes = stored[key];
        if (bytes === null) throw new ObjectStoreError('The store does not respond');
        if (bytes === undefined) return null;
        if (bytes.length > maxBytes) throw new ObjectTooLargeError(key);
        return { bytes, contentType: 'text/plain' };
      },
    },
  });
}

/** The single record of a post that must be ready. */
export async function recordOf(fields: Partial<ClaimedPost>, around?: Around) {
  const result = await prepared(fields, around);
  if (result.kind !== 'ready') throw new Error(`Not ready: ${result.cause}`);
  return result.writes[0]?.record;
}
