import type { PlanSummary } from '@meridian/contract/assignments';
import type { Plan, PlanTier, PlanUpdateBody } from '@meridian/contract/plans';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext } from '../../audit/audit.store.ts';
import {
  assignments,
  columnNames,
  columnsOf,
  insertValues,
  jsonObject,
  patchOf,
  selectList,
} from '../../db/columns.ts';
import type { Columns } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

const CONTENT = {
  name: 'name',
  displayName: { json: 'display_name' },
  description: { json: 'description' },
  currency: 'currency',
  limits: { json: 'limits' },
  features: { json: 'features' },
  displayOrder: 'display_order',
  isActive: 'is_active',
  isVisible: 'is_visible',
} as const satisfies Columns<Exclude<keyof PlanUpdateBody, 'priceMonthly' | 'priceYearly'>>;

const TABLE = columnsOf<Exclude<keyof Plan, 'priceMonthly' | 'priceYearly' | 'isPaid'>>()({
  id: 'id',
  tier: 'tier',
  ...CONTENT,
  version: 'version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

/** Amounts are exact in the database and leave it as JSON numbers. */
const COLUMNS = sql`${selectList(TABLE, 'p')},
  price.monthly as "priceMonthly", price.yearly as "priceYearly",
  price.monthly is not null as "isPaid"`;

const PRICES = sql`
  cross join lateral (
    select
      json_object_agg(currency_code, amount order by currency_code)
        filter (where period = 'monthly') as monthly,
      json_object_agg(currency_code, amount order by currency_code)
        filter (where period = 'yearly') as yearly
    from plan_prices where plan_id = p.id) price`;

export type PlanFilter = { includeInactive: boolean; includeInvisible: boolean };

/** One statement reads one snapshot of plans and prices. */
export async function listPlans(db: Db, filter: PlanFilter): Promise<Plan[]> {
  return db.many<Plan>(sql`
    select ${COLUMNS} from plans p ${PRICES}
    where (p.is_active or ${filter.includeInactive}) and (p.is_visible or ${filter.includeInvisible})
    order by p.display_order, p.id`);
}

export async function findPlan(db: Db, id: string): Promise<Plan | null> {
  return db.maybeOne<Plan>(sql`select ${COLUMNS} from plans p ${PRICES} where p.id = ${id}`);
}

export async function plansWithoutActivePrice(db: Db): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select p.name from plans p
    where p.is_active and p.is_visible
      and exists (select from plan_prices where plan_id = p.id and period = 'monthly')
      and not exists (
        select from plan_prices price join currencies c on c.code = price.currency_code
        where price.plan_id = p.id and price.period = 'monthly' and c.is_active)
    order by p.display_order, p.id`);
  return rows.map(({ name }) => name);
}

export async function readClock(db: Db): Promise<Date> {
  const { now } = await db.one<{ now: string }>(sql`select now() as now`);
  return new Date(now);
}

export async function summarizePlans(db: Db, ids: readonly string[]): Promise<PlanSummary[]> {
  return db.many<PlanSummary>(sql`
    select id, name, display_name as "displayName", tier, limits
    from plans where id = any(${ids})`);
}

/** The plan has to be read after the lock, for which its other writers wait. */
export async function lockPlan(db: Db, id: string): Promise<void> {
  await db.execute(sql`select from plans where id = ${id} for no key update`);
}

export async function insertPlan(
  db: Db,
  id: string,
  tier: PlanTier,
  content: PlanUpdateBody,
): Promise<void> {
  const columns = { id: 'id', tier: 'tier', ...CONTENT };
  await db.execute(sql`
    insert into plans (${columnNames(columns)})
    values (${insertValues(columns, { id, tier, ...content })})`);
}

export async function updatePlan(db: Db, id: string, content: PlanUpdateBody): Promise<void> {
  await db.execute(sql`
    update plans set ${assignments(CONTENT, content)}, version = version + 1, updated_at = now()
    where id = ${id}`);
}

/** The amounts travel as the decimal digits of JSON, never as binary fractions. */
export async function insertPrices(db: Db, id: string, content: PlanUpdateBody): Promise<void> {
  const { priceMonthly, priceYearly } = content;
  await db.execute(sql`
    insert into plan_prices (plan_id, period, currency_code, amount)
    select ${id}::uuid, 'monthly', key, value::numeric
      from jsonb_each_text(${sql.json(priceMonthly ?? {})}::jsonb)
    union all
    select ${id}::uuid, 'yearly', key, value::numeric
      from jsonb_each_text(${sql.json(priceYearly ?? {})}::jsonb)`);
}

export async function deletePrices(db: Db, id: string): Promise<void> {
  await db.execute(sql`delete from plan_prices where plan_id = ${id}`);
}

export async function countHolders(
  db: Db,
  id: string,
): Promise<{ users: number; tickets: number }> {
  return db.one(sql`
    select (select count(distinct user_id) from plan_assignments
            where plan_id = ${id} and assignment_status(status, expires_at) = 'ACTIVE') as users,
           (select count(*) from tickets
            where plan_id = ${id} and ticket_status(status, redemption_deadline) in ('UNUSED', 'ACTIVE')
              and (max_redemptions is null or redemption_count < max_redemptions)) as tickets`);
}

/** The next claim of posts that are held for a limit decides by the plans in force then. */
export async function releaseQuota(tx: Db): Promise<void> {
  await tx.execute(sql`
    select release_held_posts(user_id, '{quota}')
    from (select distinct user_id from posts where hold = 'quota') as waiting`);
}

/** No writer changes the plan until the transaction ends. */
export async function lockPlanForTicket(tx: Db, id: string): Promise<PlanSummary | null> {
  return tx.maybeOne<PlanSummary>(sql`
    select id, name, display_name as "displayName", tier, limits from plans
    where id = ${id} and is_active and tier <> 'FREE' for share`);
}

const FLAGS = { isActive: 'is_active', isVisible: 'is_visible' } as const;
const SWITCHES = jsonObject({ ...FLAGS, version: 'version' });
export type PlanFlag = { flag: keyof typeof FLAGS; isOn: boolean };

/** The plan has to be locked first, for prices of the same moment. */
export async function setFlag(
  tx: Db,
  id: string,
  { flag, isOn }: PlanFlag,
  audit: AuditContext,
): Promise<Plan> {
  const { set, isSame } = patchOf(FLAGS, { [flag]: isOn });
  return tx.one<Plan>(sql`
    with old as (select id as key, ${SWITCHES} as was from plans where id = ${id}),
    changed as (
      update plans set
        ${set},
        version = case when ${isSame} then version else version + 1 end,
        updated_at = case when ${isSame} then updated_at else now() end
      from old where id = key
      returning ${columnNames(TABLE)}, was, ${SWITCHES} as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed p ${PRICES}`);
}
