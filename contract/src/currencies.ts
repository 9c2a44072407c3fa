import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import {
  SOME_FIELD,
  count,
  flag,
  id,
  integer,
  line,
  queryFlag,
  someField,
  timestamp,
} from './fields.ts';

export const CURRENCY_CODE_LENGTH = 3;
export const DECIMAL_PLACES = [0, 1, 2, 3, 4] as const;
export const CURRENCY_DEFAULTS = {
  useDecimals: true,
  decimalPlaces: 2,
  displayOrder: 999,
  isActive: true,
} as const;
const CURRENCY_NAME_MAX = 60;
const CURRENCY_SYMBOL_MAX = 8;

export const CURRENCY_MESSAGES = {
  requiredOnCreate: 'Code, name, and symbol are required',
  requiredOnUpdate: 'Name and symbol are required',
  codeLength: `Currency code must be exactly ${CURRENCY_CODE_LENGTH} characters (ISO 4217)`,
  codeLetters: 'Currency code must be three letters (ISO 4217)',
  createFailed: 'Failed to create currency',
  updateFailed: 'Failed to update currency',
  loadFailed: 'Failed to load currency',
  listFailed: 'Failed to load currencies. Please refresh the page.',
  toggleFailed: 'Failed to toggle currency status',
  notFound: 'Currency not found',
  created: (code: string) => `Currency created successfully: ${code.toUpperCase()}`,
  updated: (code: string) => `Currency updated successfully: ${code.toUpperCase()}`,
} as const;

export const currency = z.object({
  id,
  code: z.string(),
  name: z.string(),
  symbol: z.string(),
  useDecimals: z.boolean(),
  decimalPlaces: z.int(),
  displayOrder: count,
  isActive: z.boolean(),
  /** For If-Match. */
  version: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Currency = z.output<typeof currency>;

const code = z
  .string({ error: CURRENCY_MESSAGES.requiredOnCreate })
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, { error: CURRENCY_MESSAGES.requiredOnCreate }),
    z.length(CURRENCY_CODE_LENGTH, { error: CURRENCY_MESSAGES.codeLength }),
    z.refine((value) => value.length !== CURRENCY_CODE_LENGTH || /^[a-z]{3}$/u.test(value), {
      error: CURRENCY_MESSAGES.codeLetters,
    }),
  )
  .register(z.globalRegistry, { pattern: '^[A-Za-z]{3}$' });

function currencyFields(required: string) {
  return {
    name: line('Name', CURRENCY_NAME_MAX, required),
    symbol: line('Symbol', CURRENCY_SYMBOL_MAX, required),
    useDecimals: flag('useDecimals'),
    decimalPlaces: integer('Decimal places', 0, 4),
    displayOrder: integer('Display order', 0),
    isActive: flag('isActive'),
  };
}

const newCurrency = currencyFields(CURRENCY_MESSAGES.requiredOnCreate);

export const currencyCreateBody = z.strictObject({
  code,
  ...newCurrency,
  useDecimals: z._default(newCurrency.useDecimals, CURRENCY_DEFAULTS.useDecimals),
  decimalPlaces: z._default(newCurrency.decimalPlaces, CURRENCY_DEFAULTS.decimalPlaces),
  displayOrder: z._default(newCurrency.displayOrder, CURRENCY_DEFAULTS.displayOrder),
  isActive: z._default(newCurrency.isActive, CURRENCY_DEFAULTS.isActive),
});
export type CurrencyCreateBody = z.output<typeof currencyCreateBody>;

/** Name and symbol never become empty. */
export const currencyUpdateBody = z
  .partial(z.strictObject(currencyFields(CURRENCY_MESSAGES.requiredOnUpdate)))
  .check(someField('Send at least one field of the currency'))
  .register(z.globalRegistry, SOME_FIELD);
export type CurrencyUpdateBody = z.output<typeof currencyUpdateBody>;

const currencyEnvelope = z.object({ currency });

export const currencyList = endpoint({
  name: 'currencyList',
  method: 'GET',
  path: '/api/admin/currencies',
  right: 'currencies:read',
  summary: 'Currencies in display order',
  query: z.strictObject({ includeInactive: z._default(queryFlag('includeInactive'), false) }),
  answer: z.object({ currencies: z.array(currency) }),
});

export const currencyGet = endpoint({
  name: 'currencyGet',
  method: 'GET',
  path: '/api/admin/currencies/{id}',
  right: 'currencies:read',
  summary: 'One currency',
  answer: currencyEnvelope,
});

export const currencyCreate = endpoint({
  name: 'currencyCreate',
  method: 'POST',
  path: '/api/admin/currencies',
  right: 'currencies:write',
  summary: 'Add a currency',
  takesKey: true,
  status: 201,
  body: currencyCreateBody,
  answer: currencyEnvelope,
});

export const currencyUpdate = endpoint({
  name: 'currencyUpdate',
  method: 'PATCH',
  path: '/api/admin/currencies/{id}',
  right: 'currencies:write',
  summary: 'Change a currency; its code stays',
  body: currencyUpdateBody,
  answer: currencyEnvelope,
});

export const currencyDeactivate = endpoint({
  name: 'currencyDeactivate',
  method: 'DELETE',
  path: '/api/admin/currencies/{id}',
  right: 'currencies:write',
  summary: 'Deactivate a currency',
  answer: currencyEnvelope,
});

export const currencyActivate = endpoint({
  name: 'currencyActivate',
  method: 'POST',
  path: '/api/admin/currencies/{id}/activate',
  right: 'currencies:write',
  summary: 'Activate a currency',
  answer: currencyEnvelope,
});
