import type { QueryOf } from '@meridian/contract/endpoint';
import type { postExport, ticketExport, userExport } from '@meridian/contract/exports';
import { postStatusOf } from '@meridian/contract/posts';
import type { Db } from '../../db/database.ts';
import { PLAN_BY_INDEX_LOCALLY } from '../../db/plan-by-index.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { orderBy } from '../../lists/keyset.ts';
import { selectFound } from '../posts/posts-filtered.store.ts';
import { findMatches } from '../tickets/ticket-search.store.ts';
import { isOfStatus, LATEST } from '../tickets/tickets-list.store.ts';
import { ISSUER, STATUS } from '../tickets/tickets.store.ts';
import { selectUsers } from '../users/users.store.ts';

/** The rows of a file; its columns are those of the select list. */
export type ExportSource = (tx: Db) => Promise<Sql> | Sql;

type Filter<E extends typeof postExport | typeof userExport | typeof ticketExport> = Omit<
  QueryOf<E>,
  'format'
>;

export function postSource(filter: Filter<typeof postExport>): ExportSource {
  const status = filter.status === undefined ? undefined : postStatusOf(filter.status);
  return async (tx) => {
    const list = { sort: 'scheduled_at', order: 'desc', status } as const;
    const found = await selectFound(tx, filter, list);
    await tx.execute(PLAN_BY_INDEX_LOCALLY);
    return sql`
      select t.id, t.user_id, u.handle as user_handle, u.did as user_did,
        u.display_name as user_display_name, t.status, t.scheduled_at, t.created_at, t.updated_at,
        t.executed_at, t.content, t.languages, t.at_uri, t.cause, t.hold, t.error_msg
      from (${found}) as found
      join posts t on t.id = found.id join users u on u.id = t.user_id`;
  };
}

export function userSource(filter: Filter<typeof userExport>): ExportSource {
  const { keyset, condition } = selectUsers(filter);
  return () => sql`
    select id, handle, did, display_name, status, is_active, has_access_keyword_access,
      upgrade_prohibited, created_at, updated_at
    from users where ${condition} order by ${orderBy(keyset)}`;
}

export function ticketSource({ status, search }: Filter<typeof ticketExport>): ExportSource {
  return async (tx) => {
    const matches = search ? await findMatches(tx, search) : null;
    return sql`
      select t.id, t.code, ${STATUS} as status, p.name as plan, p.tier, a.username as issuer, t.memo,
        t.valid_days, t.redemption_count, t.max_redemptions, t.issued_at, t.redemption_deadline,
        t.updated_at, t.limits_override
      from tickets t ${ISSUER} join plans p on p.id = t.plan_id
      where ${isOfStatus(status)}
        and ${matches === null ? sql`true` : sql`t.id in (select id from (${matches}) as matches)`}
      order by ${orderBy(LATEST)}`;
  };
}

const pricesOf = (period: 'monthly' | 'yearly') => sql`(
  select json_object_agg(currency_code, amount order by currency_code) from plan_prices
  where plan_id = p.id and period = ${period})`;

export const planSource: ExportSource = () => sql`
  select p.id, p.name, p.tier, p.display_name ->> 'en' as display_name, p.currency,
    ${pricesOf('monthly')} as monthly_prices, ${pricesOf('yearly')} as yearly_prices,
    p.is_active, p.is_visible, p.display_order, p.limits, p.created_at, p.updated_at
  from plans p order by p.display_order, p.id`;

export const currencySource: ExportSource = () => sql`
  select id, code, name, symbol, use_decimals, decimal_places, display_order, is_active, created_at,
    updated_at
  from currencies order by display_order, code`;
