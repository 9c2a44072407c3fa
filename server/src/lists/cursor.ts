import type { Keyset, SortKey } from './keyset.ts';

/** A position beside a row: the sort keys of that row, and to which side of it the page lies. */
export type Cursor = { side: 'next' | 'previous'; values: readonly string[] };

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/u;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const IS_VALUE: Record<SortKey['type'], (value: string) => boolean> = {
  text: (value) => value.length <= 64 && !value.includes('\0'),
  // A date that the calendar lacks is read as another one.
  time: (value) => TIME.test(value) && isoSeconds(value) === value.slice(0, 19),
  id: (value) => UUID.test(value),
};

function isoSeconds(value: string): string {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().slice(0, 19);
}

/** Opaque to clients: they send back what they got. */
export function encodeCursor({ side, values }: Cursor): string {
  return Buffer.from(JSON.stringify([side, ...values])).toString('base64url');
}

/** Null for a cursor that does not fit this list, as after a change of its sort or of this format. */
export function decodeCursor(text: string, { keys }: Keyset): Cursor | null {
  let found: unknown;
  try {
    found = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(found) || found.length !== keys.length + 1) return null;
  const [side, ...values] = found.map(String);
  const isFit = keys.every(({ type }, index) => IS_VALUE[type](values[index] ?? '\0'));
  return isFit && (side === 'next' || side === 'previous') ? { side, values } : null;
}
