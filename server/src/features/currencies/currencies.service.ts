import { currencyUpdateBody } from '@meridian/contract/currencies';
import type {
  Currency,
  CurrencyCreateBody,
  CurrencyUpdateBody,
} from '@meridian/contract/currencies';
import type { AuditContext, Author } from '../../audit/audit.store.ts';
import { columnNames, uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import type { ExpectedVersions } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { once } from '../../http/idempotency.ts';
import type { RequestKey } from '../../http/idempotency.ts';
import { isUuid } from '../../http/register.ts';
import { parsed, required, requireVersion } from '../noun.ts';
import type { Noun } from '../noun.ts';
import { currencyInUse } from '../plans/plans.service.ts';
import * as store from './currencies.store.ts';

const UNKNOWN = 'currency_not_found';

export function createCurrenciesService(db: Database) {
  /** The currency stays locked, so that neither it nor a price in it changes beside this. */
  async function change(
    id: string,
    patch: CurrencyUpdateBody,
    expected: ExpectedVersions,
    audit: AuditContext,
  ): Promise<Currency> {
    return db.transaction(async (tx) => {
      if (patch.isActive === false) await store.lockDeactivations(tx);
      const stored = required(isUuid(id) ? await store.lockCurrency(tx, id) : null, UNKNOWN);
      requireVersion(expected, stored, 'currency_changed_elsewhere');
      await requireUnused(tx, stored, patch);
      return store.updateCurrency(tx, id, patch, audit);
    });
  }

  return {
    list: (includeInactive: boolean): Promise<Currency[]> =>
      store.listCurrencies(db, includeInactive),

    async get(id: string): Promise<Currency> {
      return required(isUuid(id) ? await store.findCurrency(db, id) : null, UNKNOWN);
    },

    async create(
      by: Author,
      body: CurrencyCreateBody,
      key: RequestKey | null = null,
    ): Promise<Currency> {
      const audit = { by, action: 'currencyCreate' } as const;
      try {
        return await once(db, key, (tx) => store.insertCurrency(tx, uuidV7(), body, audit));
      } catch (error) {
        if (isViolation(error, 'currencies_code_key')) throw new AppError('currency_code_taken');
        throw error;
      }
    },

    update: (
      by: Author,
      id: string,
      patch: CurrencyUpdateBody,
      expected: ExpectedVersions = null,
    ): Promise<Currency> => change(id, patch, expected, { by, action: 'currencyUpdate' }),

    setActive(
      by: Author,
      id: string,
      isActive: boolean,
      expected: ExpectedVersions = null,
    ): Promise<Currency> {
      const action = isActive ? 'currencyActivate' : 'currencyDeactivate';
      return change(id, { isActive }, expected, { by, action });
    },
  };
}

async function requireUnused(tx: Db, currency: Currency, patch: CurrencyUpdateBody): Promise<void> {
  if (currency.isActive && patch.isActive === false) {
    const plans = await store.plansPricedOnlyIn(tx, currency.code);
    if (plans.length > 0) throw currencyInUse(plans);
  }
  const { useDecimals = currency.useDecimals, decimalPlaces = currency.decimalPlaces } = patch;
  const places = useDecimals ? decimalPlaces : 0;
  if (await store.hasFinerPrices(tx, currency.code, places)) {
    throw new AppError('currency_decimals_in_use');
  }
}

export const currencyNoun = {
  topics: ['currencies'],
  reversal: {
    read: (db, id) => createCurrenciesService(db).get(id),
    write: (db, by, { id, version }, before) =>
      createCurrenciesService(db).update(by, id, parsed(currencyUpdateBody, before), [version]),
  },
  consequences: {
    async currencyDeactivate(db, id) {
      const found = await store.countPlansPricedIn(db, id);
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
    select ${columnNames(store.TABLE)} from currencies order by display_order, code`,
} satisfies Noun;
