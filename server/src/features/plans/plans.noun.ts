import { planUpdateBody } from '@meridian/contract/plans';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { counted, parsed } from '../noun.ts';
import type { Fields, Noun } from '../noun.ts';
import { createPlansService } from './plans.service.ts';
import { countHolders } from './plans.store.ts';

export const planNoun = {
  topics: ['plans'],
  reversal: {
    read: (db, id) => createPlansService(db).get(id),
    // A plan is always written as a whole: what the entry does not name stays as it is.
    write: (db, by, { id, version, state }, before) =>
      createPlansService(db).update(
        by,
        id,
        parsed(planUpdateBody, contentOf({ ...state, ...before })),
        [version],
      ),
  },
  consequences: {
    async planDeactivate(db, id) {
      const { users, tickets } = await countHolders(db, id);
      const kept = counted(
        users,
        'user has this plan and keeps it',
        'users have this plan and keep it',
      );
      const redeemed = counted(tickets, 'ticket for it can', 'tickets for it can');
      return [
        ...(users > 0 ? [`${kept}.`] : []),
        ...(tickets > 0 ? [`${redeemed} still be redeemed.`] : []),
      ];
    },
  },
  found: {
    select: sql`
      select 'plan' as kind, p.id, coalesce(p.display_name ->> 'en', p.name) as title,
        p.name || ' · ' || p.tier as detail
      from plans p`,
    id: sql`p.id`,
  },
  file: () => () =>
    sql`
    select p.id, p.name, p.tier, p.display_name ->> 'en' as display_name, p.currency,
      ${pricesOf('monthly')} as monthly_prices, ${pricesOf('yearly')} as yearly_prices,
      p.is_active, p.is_visible, p.display_order, p.limits, p.created_at, p.updated_at
    from plans p order by p.display_order, p.id`,
} satisfies Noun;

function contentOf(state: Fields): Fields {
  const names = Object.keys(planUpdateBody.shape);
  return Object.fromEntries(names.map((name) => [name, state[name]]));
}

function pricesOf(period: 'monthly' | 'yearly'): Sql {
  return sql`(
    select json_object_agg(currency_code, amount order by currency_code) from plan_prices
    where plan_id = p.id and period = ${period})`;
}
