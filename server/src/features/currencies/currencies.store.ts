import type {
  Currency,
  CurrencyCreateBody,
  CurrencyUpdateBody,
} from '@meridian/contract/currencies';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import {
  columnNames,
  insertValues,
  jsonObject,
  patchedValues,
  selectList,
} from '../../db/columns.ts';
import type { Columns } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';

/** What an update may change. */
const FIELDS = {
  name: 'name',
  symbol: 'symbol',
  useDecimals: 'use_decimals',
  decimalPlaces: 'decimal_places',
  displayOrder: 'display_order',
  isActive: 'is_active',
} as const satisfies Columns<keyof CurrencyUpdateBody>;

/** What an administrator writes, and the audit log shows. */
const CONTENT = { code: 'code', ...FIELDS } as const satisfies Columns<keyof CurrencyCreateBody>;

const TABLE = {
  id: 'id',
  ...CONTENT,
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Columns<Exclude<keyof Currency, 'version'>>;

/** Microseconds, which every change moves on. */
const VERSION = sql`(extract(epoch from updated_at) * 1000000)::bigint`;
const COLUMNS = sql`${selectList(TABLE)}, ${VERSION} as version`;
const STATE = jsonObject(CONTENT);

export async function listCurrencies(db: Db, includeInactive: boolean): Promise<Currency[]> {
  return db.many<Currency>(sql`
    select ${COLUMNS} from currencies
    where is_active or ${includeInactive}
    order by display_order, code`);
}

export async function findCurrency(db: Db, id: string): Promise<Currency | null> {
  return db.maybeOne<Currency>(sql`select ${COLUMNS} from currencies where id = ${id}`);
}

/** In the order of their codes, so that two writers of prices never wait for each other in a circle. */
export async function lockCurrencies(db: Db, codes: readonly string[]): Promise<Currency[]> {
  return db.many<Currency>(sql`
    select ${COLUMNS} from currencies where code = any(${codes}) order by code for share`);
}

export async function insertCurrency(
  db: Db,
  id: string,
  body: CurrencyCreateBody,
  audit: AuditContext,
): Promise<Currency> {
  const columns = { id: 'id', ...CONTENT };
  return db.one<Currency>(sql`
    with changed as (
      insert into currencies (${columnNames(columns)})
      values (${insertValues(columns, { id, ...body })})
      returning ${columnNames(TABLE)}, null::jsonb as was, ${STATE} as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed`);
}

/** Later than the last one, however coarse the clock. */
const MOVED_ON = sql`greatest(now(), updated_at + interval '1 microsecond')`;

/**
 * Writes only what is named: two administrators changing one field each do not undo one another.
 * What already stands is no change and leaves the time of the last one alone.
 */
export async function updateCurrency(
  db: Db,
  id: string,
  patch: CurrencyUpdateBody,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<Currency | null> {
  const names = columnNames(FIELDS);
  const values = patchedValues(FIELDS, patch);
  const assignments = sql`
    (${names}) = row(${values}),
    updated_at = case when row(${names}) = row(${values}) then updated_at else ${MOVED_ON} end`;
  return change(db, id, assignments, expected, audit);
}

/** Setting what already stands is no change and leaves the time of the last one alone. */
export async function setActive(
  db: Db,
  id: string,
  isActive: boolean,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<Currency | null> {
  const assignments = sql`
    is_active = ${isActive},
    updated_at = case when is_active = ${isActive} then updated_at else ${MOVED_ON} end`;
  return change(db, id, assignments, expected, audit);
}

/** Null when there is no such currency, or not in an expected version. */
async function change(
  db: Db,
  id: string,
  assignments: Sql,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<Currency | null> {
  return db.maybeOne<Currency>(sql`
    with old as (
      select id as key, ${STATE} as was from currencies
      where id = ${id} and ${isExpected(expected, VERSION)}
      for no key update),
    changed as (
      update currencies set ${assignments} from old where id = key
      returning ${columnNames(TABLE)}, was, ${STATE} as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed`);
}
