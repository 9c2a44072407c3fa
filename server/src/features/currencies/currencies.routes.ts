import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyList,
  currencyUpdate,
} from '@meridian/contract/currencies';
import type { Currency } from '@meridian/contract/currencies';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../services.ts';
import { expectedBy, register, tagged } from '../../http/register.ts';

export function currenciesRoutes(app: FastifyInstance, { currencies }: Context): void {
  register(app, currencyList, async ({ query }) => ({
    currencies: await currencies.list(query.includeInactive),
  }));

  register(app, currencyGet, async ({ params, reply }) =>
    shown(reply, await currencies.get(params.id)),
  );

  register(app, currencyCreate, async ({ actor, body, key, reply }) =>
    shown(reply, await currencies.create(actor, body, key)),
  );

  register(app, currencyUpdate, async ({ actor, params, body, request, reply }) =>
    shown(reply, await currencies.update(actor, params.id, body, expectedBy(request))),
  );

  register(app, currencyDeactivate, async ({ actor, params, request, reply }) =>
    shown(reply, await currencies.setActive(actor, params.id, false, expectedBy(request))),
  );

  register(app, currencyActivate, async ({ actor, params, request, reply }) =>
    shown(reply, await currencies.setActive(actor, params.id, true, expectedBy(request))),
  );
}

function shown(reply: FastifyReply, currency: Currency): { currency: Currency } {
  return { currency: tagged(reply, currency) };
}
