import type { Keyset, SortKey } from './keyset.ts';

/** A position beside a row: the sort keys of that row, and to which side of it the page lies. */
export type Cursor = { side: 'next' | 'previous'; values: readonly string[] };

/**
 * How a sort key stands in a cursor. Plain characters and not base64: they stay as they are in an
 * address, and spell no word by chance.
 */
type Form = { write: (value: string) => string; read: (text: string) => string | null };

const FORMS: Record<SortKey['type'], Form> = {
  text: { write: (value) => value, read: (text) => (/^[A-Z_]{1,64}$/u.test(text) ? text : null) },
  time: { write: (value) => value.replaceAll(/\D/gu, ''), read: readTime },
  id: { write: (value) => value.replaceAll('-', ''), read: readId },
  number: { write: (value) => value, read: (text) => (/^\d{1,18}$/u.test(text) ? text : null) },
};

function readTime(text: string): string | null {
  const iso = text.replace(
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{6})$/u,
    '$1-$2-$3T$4:$5:$6.$7Z',
  );
  const time = new Date(iso);
  // A date that the calendar lacks is read as another one.
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso.slice(0, 19));
  return iso !== text && isReal ? iso : null;
}

function readId(text: string): string | null {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u.exec(text);
  return parts?.slice(1).join('-') ?? null;
}

/** Opaque to clients: they send back what they got. */
export function encodeCursor({ side, values }: Cursor, { keys }: Keyset): string {
  const texts = keys.map(({ type }, index) => FORMS[type].write(values[index] ?? ''));
  return [side, ...texts].join('.');
}

/** Null for a cursor that does not fit this list, as after a change of its sort or of this format. */
export function decodeCursor(cursor: string, { keys }: Keyset): Cursor | null {
  const [side, ...texts] = cursor.split('.');
  if (texts.length !== keys.length || (side !== 'next' && side !== 'previous')) return null;
  const values: string[] = [];
  for (const [index, { type }] of keys.entries()) {
    const value = FORMS[type].read(texts[index] ?? '');
    if (value === null) return null;
    values.push(value);
  }
  return { side, values };
}
