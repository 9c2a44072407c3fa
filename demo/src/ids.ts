import type { Random } from './random.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE32_SORTABLE = '234567abcdefghijklmnopqrstuvwxyz';

/** A UUID of version 7: the time in milliseconds, then random bits. */
export function newId(random: Random, at: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.set(random.bytes(10), 6);
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x70;
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export function newDid(random: Random): string {
  return `did:plc:${random.text(BASE32, 24)}`;
}

/** The content id of a picture that does not exist. */
export function newBlobCid(random: Random): string {
  return `bafkrei${random.text(BASE32, 52)}`;
}

/** A record key: 53 bits of microseconds and 10 bits of clock id, in 13 digits. */
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
