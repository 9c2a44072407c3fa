import { createHash } from 'node:crypto';
import { encode } from '@atcute/cbor';
import { CODEC_DCBOR, CODEC_RAW, fromDigest, toString } from '@atcute/cid';
import { now } from '@atcute/tid';

/**
 * The content identifier that every host computes for this record, from its JSON form: blob
 * references and links as `{ "$link": … }`. Throws for what DAG-CBOR cannot hold.
 */
export function cidOfRecord(record: unknown): string {
  return toString(fromDigest(CODEC_DCBOR, sha256(encode(record))));
}

export function cidOfBlob(bytes: Uint8Array): string {
  return toString(fromDigest(CODEC_RAW, sha256(bytes)));
}

/** A new record key (TID), later than all earlier ones of this process. */
export function newRkey(): string {
  return now();
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
