import { uuidV7 } from '../db/uuid-v7.ts';
import type { Random } from './random.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE32_SORTABLE = '234567abcdefghijklmnopqrstuvwxyz';

export function newId(random: Random, at: number): string {
  return uuidV7(at, random.bytes(10));
}

export function newDid(random: Random): string {
  return `did:plc:${random.text(BASE32, 24)}`;
}

/** The content id of some picture that does not exist. */
export function newBlobCid(random: Random): string {
  return `bafkrei${random.text(BASE32, 52)}`;
}

/** A record key: 53 bits of microseconds and 10 bits that tell clocks apart, in 13 digits. */
export function newTid(random: Random, at: number): string {
  const micros = BigInt(at) * 1000n + BigInt(random.int(0, 999));
  let bits = (micros << 10n) | BigInt(random.int(0, 1023));
  let text = '';
  for (let digit = 0; digit < 13; digit += 1) {
    text = BASE32_SORTABLE.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}
