import type {
  Currency,
  CurrencyCreateBody,
  CurrencyUpdateBody,
} from '@meridian/contract/currencies';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

const COLUMNS = sql`
  id, code, name, symbol, use_decimals as "useDecimals", decimal_places as "decimalPlaces",
  display_order as "displayOrder", is_active as "isActive",
  created_at as "createdAt", updated_at as "updatedAt"`;

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
): Promise<Currency> {
  return db.one<Currency>(sql`
    insert into currencies
      (id, code, name, symbol, use_decimals, decimal_places, display_order, is_active)
    values (${id}, ${body.code}, ${body.name}, ${body.symbol}, ${body.useDecimals},
            ${body.decimalPlaces}, ${body.displayOrder}, ${body.isActive})
    returning ${COLUMNS}`);
}

/** Writes only what is named: two administrators changing one field each do not undo one another. */
export async function updateCurrency(
  db: Db,
  id: string,
  patch: CurrencyUpdateBody,
): Promise<Currency | null> {
  return db.maybeOne<Currency>(sql`
    update currencies set
      name = coalesce(${patch.name ?? null}, name),
      symbol = coalesce(${patch.symbol ?? null}, symbol),
      use_decimals = coalesce(${patch.useDecimals ?? null}, use_decimals),
      decimal_places = coalesce(${patch.decimalPlaces ?? null}, decimal_places),
      display_order = coalesce(${patch.displayOrder ?? null}, display_order),
      is_active = coalesce(${patch.isActive ?? null}, is_active),
      updated_at = now()
    where id = ${id}
    returning ${COLUMNS}`);
}

/** Setting what already stands is no change and leaves the time of the last one alone. */
export async function setActive(db: Db, id: string, isActive: boolean): Promise<Currency | null> {
  return db.maybeOne<Currency>(sql`
    update currencies set
      is_active = ${isActive},
      updated_at = case when is_active = ${isActive} then updated_at else now() end
    where id = ${id}
    returning ${COLUMNS}`);
}
