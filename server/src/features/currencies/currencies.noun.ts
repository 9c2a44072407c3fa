import { currencyUpdateBody } from '@meridian/contract/currencies';
import { columnNames } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
import { parsed } from '../noun.ts';
import type { Noun } from '../noun.ts';
import { createCurrenciesService } from './currencies.service.ts';
import { countPlansPricedIn, TABLE } from './currencies.store.ts';

export const currencyNoun = {
  topics: ['currencies'],
  reversal: {
    read: (db, id) => createCurrenciesService(db).get(id),
    write: (db, by, { id, version }, before) =>
      createCurrenciesService(db).update(by, id, parsed(currencyUpdateBody, before), [version]),
  },
  consequences: {
    async currencyDeactivate(db, id) {
      const found = await countPlansPricedIn(db, id);
      if (found === null || found.plans === 0) return [];
      const { code, plans, active } = found;
      if (plans === 1) {
        return [`1 ${active === 1 ? 'active' : 'inactive'} plan has prices in ${code}.`];
      }
      return [
        `${plans.toLocaleString('en-US')} plans have prices in ${code}, ${active} of them active.`,
      ];
    },
  },
  file: () => () =>
    sql`
    select ${columnNames(TABLE)} from currencies order by display_order, code`,
} satisfies Noun;
