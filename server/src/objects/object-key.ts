import { ObjectStoreError } from './errors.ts';

const KEY_MAX_BYTES = 512;
/** The longest file name of common file systems. */
const PART_MAX_BYTES = 255;
const FORBIDDEN = /[\p{Cc}\\]/u;

/**
 * Slash-separated parts, none empty (so no leading slash and no `://`) and none starting with a
 * dot (so no `..`; dot names are the local store's own).
 */
export function isObjectKey(key: string): boolean {
  if (Buffer.byteLength(key) > KEY_MAX_BYTES) return false;
  if (FORBIDDEN.test(key) || !key.isWellFormed()) return false;
  return key.split('/').every(isKeyPart);
}

function isKeyPart(part: string): boolean {
  return part !== '' && !part.startsWith('.') && Buffer.byteLength(part) <= PART_MAX_BYTES;
}

export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new ObjectStoreError(`Not an object key: ${JSON.stringify(key)}`);
}

/** The key as part of a URL path: everything but letters, digits, `-._~` and its slashes is encoded. */
export function encodeKey(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
