import type {
  Currency,
  CurrencyCreateBody,
  CurrencyUpdateBody,
} from '@meridian/contract/currencies';
import type { Database } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import * as store from './currencies.store.ts';

export type CurrenciesService = ReturnType<typeof createCurrenciesService>;

export function createCurrenciesService(db: Database) {
  async function get(id: string): Promise<Currency> {
    return found(isUuid(id) ? await store.findCurrency(db, id) : null);
  }

  return {
    get,

    list: (includeInactive: boolean): Promise<Currency[]> =>
      store.listCurrencies(db, includeInactive),

    async create(body: CurrencyCreateBody): Promise<Currency> {
      try {
        return await store.insertCurrency(db, uuidV7(), body);
      } catch (error) {
        if (isViolation(error, 'currencies_code_key')) throw new AppError('currency_code_taken');
        throw error;
      }
    },

    async update(id: string, patch: CurrencyUpdateBody): Promise<Currency> {
      if (Object.keys(patch).length === 0) return get(id);
      try {
        return found(isUuid(id) ? await store.updateCurrency(db, id, patch) : null);
      } catch (error) {
        if (isViolation(error, 'currencies_decimals_in_use')) {
          throw new AppError('currency_decimals_in_use');
        }
        throw error;
      }
    },

    /** Setting what is already set succeeds, so a retry does no harm. The last one may go too. */
    async setActive(id: string, isActive: boolean): Promise<Currency> {
      return found(isUuid(id) ? await store.setActive(db, id, isActive) : null);
    },
  };
}

function found(currency: Currency | null): Currency {
  if (currency === null) throw new AppError('currency_not_found');
  return currency;
}
