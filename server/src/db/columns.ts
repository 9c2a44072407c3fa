import { Sql, sql } from './sql.ts';

/**
 * The columns of a table by their field in the contract: `{ displayOrder: 'display_order' }`. The
 * select list, inserts, updates and audit states derive from it, so none can lack a field.
 */
export type Columns<Field extends string = string> = Readonly<Record<Field, Column>>;
type Column = string | JsonColumn;
type JsonColumn = { readonly json: string };

/** Exactly the columns of these fields, also where some are spread from others. */
export function columnsOf<Field extends string>() {
  return <const C extends Columns<Field>>(
    columns: C & Readonly<Record<Exclude<keyof C, Field>, never>>,
  ): C => columns;
}

/** Values by field: all of them for an insert or a full update. */
type Values<C extends Columns> = Readonly<Record<keyof C, unknown>>;

const nameOf = (column: Column) => (typeof column === 'string' ? column : column.json);

/** Names come from the code, never from a request; the pattern keeps it so. */
export function nameInSql(name: string): Sql {
  if (!/^\w+$/.test(name)) throw new TypeError(`Not a name in SQL: ${name}`);
  return new Sql([name], []);
}

/** `display_order, is_active` */
export function columnNames(columns: Columns): Sql {
  return sql.join(Object.values(columns).map((column) => nameInSql(nameOf(column))));
}

/** `display_order as "displayOrder"`; `from` is the alias of the table. */
export function selectList(columns: Columns, from?: string): Sql {
  const prefix = from === undefined ? sql.empty : sql`${nameInSql(from)}.`;
  return sql.join(
    Object.entries(columns).map(
      ([field, column]) => sql`${prefix}${nameInSql(nameOf(column))} as "${nameInSql(field)}"`,
    ),
  );
}

/** The parameters of an insert, in the order of `columnNames`. */
export function insertValues<C extends Columns>(columns: C, values: Values<C>): Sql {
  return sql.join(
    Object.entries<Column>(columns).map(([field, column]) => parameter(column, values[field])),
  );
}

/** `display_order = $1, is_active = $2` */
export function assignments<C extends Columns>(columns: C, values: Values<C>): Sql {
  return sql.join(
    Object.entries<Column>(columns).map(
      ([field, column]) => sql`${nameInSql(nameOf(column))} = ${parameter(column, values[field])}`,
    ),
  );
}

/**
 * `set` writes exactly the fields that the patch names: undefined is not named, null is a value.
 * `isSame` holds of a row that has these values already.
 */
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

/** The row as the audit log shows it, under the fields' names. */
export function jsonObject(columns: Columns): Sql {
  const pairs = Object.entries(columns).map(
    ([field, column]) => sql`'${nameInSql(field)}', ${nameInSql(nameOf(column))}`,
  );
  return sql`jsonb_build_object(${sql.join(pairs)})`;
}

function parameter(column: Column, value: unknown): Sql {
  return typeof column === 'string' || value === null ? sql`${value}` : sql`${sql.json(value)}`;
}
