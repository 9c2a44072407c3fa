import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyList,
  currencyUpdate,
} from '@meridian/contract/currencies';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function currenciesRoutes(app: FastifyInstance, { currencies }: Context): void {
  register(app, currencyList, async ({ query }) => ({
    currencies: await currencies.list(query.includeInactive),
  }));

  register(app, currencyGet, async ({ params }) => ({ currency: await currencies.get(params.id) }));

  register(app, currencyCreate, async ({ body }) => ({ currency: await currencies.create(body) }));

  register(app, currencyUpdate, async ({ params, body }) => ({
    currency: await currencies.update(params.id, body),
  }));

  register(app, currencyDeactivate, async ({ params }) => ({
    currency: await currencies.setActive(params.id, false),
  }));

  register(app, currencyActivate, async ({ params }) => ({
    currency: await currencies.setActive(params.id, true),
  }));
}
