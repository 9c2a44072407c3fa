import type {
  Currency,
  CurrencyCreateBody,
  CurrencyUpdateBody,
} from '@meridian/contract/currencies';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext } from '../../audit/audit.store.ts';
import {
  columnNames,
  columnsOf,
  insertValues,
  jsonObject,
  patchOf,
  selectList,
} from '../../db/columns.ts';
import type { Columns } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { LOCKS, sql } from '../../db/sql.ts';

const FIELDS = {
  name: 'name',
  symbol: 'symbol',
  useDecimals: 'use_decimals',
  decimalPlaces: 'decimal_places',
  displayOrder: 'display_order',
  isActive: 'is_active',
} as const satisfies Columns<keyof CurrencyUpdateBody>;

const CONTENT = columnsOf<keyof CurrencyCreateBody>()({ code: 'code', ...FIELDS });

export const TABLE = columnsOf<Exclude<keyof Currency, 'version'>>()({
  id: 'id',
  ...CONTENT,
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

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

/** The order of the codes keeps two writers of prices from waiting for each other in a circle. */
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

/** Writers of the currency and of prices in it wait until the transaction ends. */
export async function lockCurrency(tx: Db, id: string): Promise<Currency | null> {
  return tx.maybeOne<Currency>(sql`
    select ${COLUMNS} from currencies where id = ${id} for no key update`);
}

/** The second deactivation of a plan's last two currencies has to see the first. */
export async function lockDeactivations(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${sql.whole(LOCKS.currencyDeactivation)})`);
}

export async function plansPricedOnlyIn(tx: Db, code: string): Promise<string[]> {
  const rows = await tx.many<{ name: string }>(sql`
    select p.name from plans p join plan_prices own
      on own.plan_id = p.id and own.period = 'monthly' and own.currency_code = ${code}
    where p.is_active and not exists (
      select from plan_prices price join currencies c on c.code = price.currency_code
      where price.plan_id = p.id and price.period = 'monthly' and c.is_active and c.code <> ${code})
    order by p.display_order, p.name`);
  return rows.map(({ name }) => name);
}

export async function countPlansPricedIn(
  db: Db,
  id: string,
): Promise<{ code: string; plans: number; active: number } | null> {
  return db.maybeOne(sql`
    select upper(c.code) as code, count(distinct p.id) as plans,
           count(distinct p.id) filter (where p.is_active) as active
    from currencies c left join plan_prices pp on pp.currency_code = c.code
      left join plans p on p.id = pp.plan_id
    where c.id = ${id} group by c.code`);
}

export async function hasFinerPrices(tx: Db, code: string, places: number): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    select exists (
      select from plan_prices
      where currency_code = ${code} and amount <> round(amount, ${places}::integer)) as found`);
  return found;
}

/** Each version is later than the last one, however coarse the clock. */
const MOVED_ON = sql`greatest(now(), updated_at + interval '1 microsecond')`;

export async function updateCurrency(
  tx: Db,
  id: string,
  patch: CurrencyUpdateBody,
  audit: AuditContext,
): Promise<Currency> {
  const { set, isSame } = patchOf(FIELDS, patch);
  return tx.one<Currency>(sql`
    with old as (select id as key, ${STATE} as was from currencies where id = ${id}),
    changed as (
      update currencies set
        ${set}, updated_at = case when ${isSame} then updated_at else ${MOVED_ON} end
      from old where id = key
      returning ${columnNames(TABLE)}, was, ${STATE} as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed`);
}
