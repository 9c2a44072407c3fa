import { randomBytes } from 'node:crypto';
import { types } from 'pg';
import type { CustomTypesConfig } from 'pg';
import { Sql, sql } from './sql.ts';

/** The select list, inserts, updates and audit states derive from this, so none can lack a field. */
export type Columns<Field extends string = string> = Readonly<Record<Field, Column>>;
type Column = string | { readonly json: string };

export function columnsOf<Field extends string>() {
  return <const C extends Columns<Field>>(
    columns: C & Readonly<Record<Exclude<keyof C, Field>, never>>,
  ): C => columns;
}

type Values<C extends Columns> = Readonly<Record<keyof C, unknown>>;

const nameOf = (column: Column) => (typeof column === 'string' ? column : column.json);

/** Names come from the code, never from a request; the pattern keeps it so. */
export function nameInSql(name: string): Sql {
  if (!/^\w+$/.test(name)) throw new TypeError(`Not a name in SQL: ${name}`);
  return new Sql([name], []);
}

export function columnNames(columns: Columns): Sql {
  return sql.join(Object.values(columns).map((column) => nameInSql(nameOf(column))));
}

export function selectList(columns: Columns, from?: string): Sql {
  const prefix = from === undefined ? sql.empty : sql`${nameInSql(from)}.`;
  return sql.join(
    Object.entries(columns).map(
      ([field, column]) => sql`${prefix}${nameInSql(nameOf(column))} as "${nameInSql(field)}"`,
    ),
  );
}

export function insertValues<C extends Columns>(columns: C, values: Values<C>): Sql {
  return sql.join(
    Object.entries<Column>(columns).map(([field, column]) => parameter(column, values[field])),
  );
}

export function assignments<C extends Columns>(columns: C, values: Values<C>): Sql {
  return sql.join(
    Object.entries<Column>(columns).map(
      ([field, column]) => sql`${nameInSql(nameOf(column))} = ${parameter(column, values[field])}`,
    ),
  );
}

/** An undefined field is not named by the patch; null is a value. */
export function patchOf<C extends Columns>(
  columns: C,
  patch: Partial<Values<C>>,
): { set: Sql; isSame: Sql } {
  const named = Object.entries<Column>(columns).filter(([field]) => patch[field] !== undefined);
  if (named.length === 0) throw new TypeError('A patch names no field');
  const pairs = named.map(
    ([field, column]) => [nameInSql(nameOf(column)), parameter(column, patch[field])] as const,
  );
  return {
    set: sql.join(pairs.map(([name, value]) => sql`${name} = ${value}`)),
    isSame: sql.join(
      pairs.map(([name, value]) => sql`${name} is not distinct from ${value}`),
      sql` and `,
    ),
  };
}

export function jsonObject(columns: Columns): Sql {
  const pairs = Object.entries(columns).map(
    ([field, column]) => sql`'${nameInSql(field)}', ${nameInSql(nameOf(column))}`,
  );
  return sql`jsonb_build_object(${sql.join(pairs)})`;
}

function parameter(column: Column, value: unknown): Sql {
  return typeof column === 'string' || value === null ? sql`${value}` : sql`${sql.json(value)}`;
}

const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;

export const LAST_INSTANT_MS = 8.64e15;

export function parseTimestamp(text: string): string {
  if (!text.endsWith('+00') || text[10] !== ' ') return parseInOtherZone(text);
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

export function parseExactTimestamp(text: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  return `${parseTimestamp(text).slice(0, -1)}${fraction.padEnd(6, '0').slice(3)}Z`;
}

/** A session may have any zone, such as `+05:30`, and a year may be `12026` or `BC`. */
function parseInOtherZone(text: string): string {
  const [, year, rest = '', isBc] = /^(\d+)(-\d\d-\d\d .*?)( BC)?$/.exec(text) ?? [];
  const iso = `${isoYear(Number(year), isBc !== undefined)}${rest.replace(' ', 'T')}`;
  const instant = new Date(iso.replace(/([+-]\d\d)$/, '$1:00')).getTime();
  // PostgreSQL has later instants than Date, and two without an end: such a row must not make a list fail.
  const nearest = text.startsWith('-') ? -LAST_INSTANT_MS : LAST_INSTANT_MS;
  return new Date(Number.isNaN(instant) ? nearest : instant).toISOString();
}

/** 1 BC is the year 0 of ISO 8601. */
function isoYear(year: number, isBc: boolean): string {
  const sign = isBc && year > 1 ? '-' : '+';
  return `${sign}${String(isBc ? year - 1 : year).padStart(6, '0')}`;
}

function parseInt8(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

export const columnTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === TIMESTAMPTZ) return parseTimestamp;
    if (oid === INT8) return parseInt8;
    if (oid === DATE) return String;
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum names only some of the type ids
    return types.getTypeParser(oid, format);
  },
};

/** Ids sort by age: the first 48 bits are milliseconds. */
export function uuidV7(at: number = Date.now(), random: Uint8Array = randomBytes(10)): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x70;
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
