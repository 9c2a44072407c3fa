import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@meridian/contract/response-shape';

const TIME = /^\d{4}-\d\d-\d\dT/;

/** What was sent but is not there when it is read again. */
export function fieldsDiffer(name: string, sent: object, stored: unknown): string[] {
  if (!isRecord(stored)) return [];
  return Object.entries(sent).flatMap(([field, value]) =>
    isSame(value, stored[field])
      ? []
      : [`\`${name}.${field}\` is not what was sent when it is read again`],
  );
}

/** A server may write times in another way, have numbers for ids, and add limits of its own. */
function isSame(sent: unknown, stored: unknown): boolean {
  if (isRecord(sent) && isRecord(stored)) {
    return Object.entries(sent).every(([key, value]) => isSame(value, stored[key]));
  }
  if (isDeepStrictEqual(sent, stored ?? null)) return true;
  if (typeof sent !== 'string') return false;
  return TIME.test(sent)
    ? Date.parse(sent) === Date.parse(String(stored))
    : sent === String(stored);
}
