import { encode } from '@atcute/cbor';
import { CODEC_DCBOR, CODEC_RAW, fromDigest, toString } from '@atcute/cid';
import { create as createTid, now } from '@atcute/tid';
import { isDid, propertyOf } from '@meridian/contract/untrusted';
import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { jsonOf, readResponse } from '../http/bodies.ts';
import { FetchRefused, PUBLIC_NETWORK, guardedFetch } from '../http/guarded-fetch.ts';
import type { OutsideNetwork } from '../http/guarded-fetch.ts';

/** The record is in its JSON form, with links as `{ "$link": … }`; this throws for what DAG-CBOR cannot hold. */
export function cidOfRecord(record: unknown): string {
  return toString(fromDigest(CODEC_DCBOR, sha256(encode(record))));
}

export function cidOfBlob(bytes: Uint8Array): string {
  return toString(fromDigest(CODEC_RAW, sha256(bytes)));
}

export function newRkey(): string {
  return now();
}

/** The time in a record key is before that in the post's id by at most this, 38 hours in microseconds. */
const KEY_SPREAD = 2 ** 37;
/** A key for an id without a time is from before September 2005. */
const UNDATED_SPREAD = 2 ** 50;
/** A record key has room for no time later than this, in the year 2248. */
const LAST_DATED_MS = 2 ** 43;

// The key follows from the post's id: a post whose delivery the database lost gets the same key,
// and its record is found under it. Two of 10,000 posts that an account makes in a day get the same key
// with a chance of 1 in 90,000; `posts_record_key` then fails the second.
export function recordKey(postId: string, part: number): string {
  const id = Buffer.from(postId.replaceAll('-', ''), 'hex');
  const chance = sha256(id).readBigUInt64BE();
  const madeAt = id.readUIntBE(0, 6);
  const isDated = id.readUInt8(6) >> 4 === 7 && madeAt < LAST_DATED_MS;
  const spread = isDated ? KEY_SPREAD : UNDATED_SPREAD;
  const end = isDated ? Math.max(1, Math.floor((madeAt * 1000) / spread)) : 1;
  const time = (end - 1) * spread + (Number(BigInt.asUintN(50, chance)) % spread);
  // A thread of up to 25 parts takes five of the ten bits beside the time.
  return createTid(time, Number(chance >> 59n) * 32 + part);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

export type ResolveFor = (userId: string, handle: string) => Promise<string | null>;

const TIMEOUT_MS = 3_000;
const RESPONSE_MAX_BYTES = 10_000;

export function resolveAmongUsers(db: Db): ResolveFor {
  return async (_, handle) => {
    const row = await db.maybeOne<{ did: string }>(sql`
      select did from users where lower(handle) = ${handle} order by is_active desc, id limit 1`);
    return row?.did ?? null;
  };
}

export function resolveByHost(db: Db, network: OutsideNetwork = PUBLIC_NETWORK): ResolveFor {
  return async (userId, handle) => {
    const account = await db.maybeOne<{ host: string }>(sql`
      select host from accounts where user_id = ${userId}`);
    if (account === null) return null;
    const path = `/xrpc/com.atproto.identity.resolveHandle?handle=${encodeURIComponent(handle)}`;
    const address = URL.parse(path, account.host)?.href ?? '';
    const did = propertyOf(await readJson(address, network), 'did');
    return isDid(did) ? did : null;
  };
}

async function readJson(address: string, network: OutsideNetwork): Promise<unknown> {
  const options = {
    network,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    accept: 'application/json',
    maxBytes: RESPONSE_MAX_BYTES,
  };
  try {
    return await guardedFetch(address, options, async ({ body }) =>
      jsonOf((await readResponse(body, RESPONSE_MAX_BYTES)).toString()),
    );
  } catch (error) {
    // A mention that cannot be resolved stays text: no reason to refuse the post.
    if (error instanceof FetchRefused) return null;
    throw error;
  }
}
