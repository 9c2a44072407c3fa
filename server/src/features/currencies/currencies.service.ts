import type {
  Currency,
  CurrencyCreateBody,
  CurrencyUpdateBody,
} from '@meridian/contract/currencies';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError } from '../../http/app-error.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import { isUuid } from '../../http/uuid.ts';
import { once } from '../../idempotency/once.ts';
import type { RequestKey } from '../../idempotency/request-key.ts';
import { currencyInUse } from '../plans/active-price.ts';
import * as store from './currencies.store.ts';

export function createCurrenciesService(db: Database) {
  async function get(id: string): Promise<Currency> {
    return found(isUuid(id) ? await store.findCurrency(db, id) : null);
  }

  /** A change that found no row met an unknown currency, or one in another version than expected. */
  async function changed(id: string, change: () => Promise<Currency | null>): Promise<Currency> {
    const currency = isUuid(id) ? await withCurrencyRefusal(change) : null;
    if (currency !== null) return currency;
    await get(id);
    throw new AppError('currency_changed_elsewhere');
  }

  return {
    get,

    list: (includeInactive: boolean): Promise<Currency[]> =>
      store.listCurrencies(db, includeInactive),

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

    update(
      by: Author,
      id: string,
      patch: CurrencyUpdateBody,
      expected: ExpectedVersions = null,
    ): Promise<Currency> {
      const audit = { by, action: 'currencyUpdate' } as const;
      return changed(id, () => store.updateCurrency(db, id, patch, expected, audit));
    },

    /** Setting what is already set succeeds, so a retry does no harm. */
    setActive(
      by: Author,
      id: string,
      isActive: boolean,
      expected: ExpectedVersions = null,
    ): Promise<Currency> {
      const action = isActive ? 'currencyActivate' : 'currencyDeactivate';
      return changed(id, () => store.setActive(db, id, isActive, expected, { by, action }));
    },
  };
}

async function withCurrencyRefusal<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (isViolation(error, 'currencies_decimals_in_use')) {
      throw new AppError('currency_decimals_in_use');
    }
    throw currencyInUse(error) ?? error;
  }
}

function found(currency: Currency | null): Currency {
  if (currency === null) throw new AppError('currency_not_found');
  return currency;
}
