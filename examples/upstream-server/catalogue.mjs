// Plans and currencies.
import { randomUUID } from 'node:crypto';
import { currencies, plans } from './data.mjs';
import { checkLimits } from './limits.mjs';
import { find, flag, oneOf, refuse, whole } from './rules.mjs';

const TIERS = ['FREE', 'BASIC', 'PREMIUM', 'ENTERPRISE'];

const planOf = (id) => find(plans, id, 'Plan');
const currencyOf = (id) => find(currencies, id, 'Currency');
const changed = (one, fields) => Object.assign(one, fields);

export const catalogueCalls = {
  'GET /plans': ({ query }) => ({ plans: listed(plans, query) }),
  'GET /plans/{id}': ({ id }) => ({ plan: planOf(id) }),
  'POST /plans': ({ body }) => {
    const tier = oneOf(body.tier, 'tier', TIERS);
    return { plan: add(plans, { tier, ...checkedPlan(body) }) };
  },
  'PUT /plans/{id}': ({ id, body }) => ({ plan: changed(planOf(id), checkedPlan(body)) }),
  'PATCH /plans/{id}/visibility': ({ id, body }) => ({
    plan: changed(planOf(id), { isVisible: flag(body.isVisible, 'isVisible') }),
  }),
  'PATCH /plans/{id}/active': ({ id, body }) => ({
    plan: changed(planOf(id), { isActive: flag(body.isActive, 'isActive') }),
  }),
  // A real service writes the files before it names them.
  'POST /plans/publish': () => {
    const urls = listed(plans, {}).map(({ id }) => `https://cdn.example.com/plans/${id}.json`);
    return { publishedCount: urls.length, individualUrls: urls };
  },
  'GET /currencies': ({ query }) => {
    return { currencies: listed(currencies, { ...query, includeInvisible: 'true' }) };
  },
  'GET /currencies/{id}': ({ id }) => ({ currency: currencyOf(id) }),
  'POST /currencies': ({ body }) => {
    const code = freeCode(body);
    return { currency: add(currencies, { code, ...checkedCurrency(body) }) };
  },
  'PATCH /currencies/{id}': ({ id, body }) => {
    const currency = currencyOf(id);
    return { currency: changed(currency, checkedCurrency({ ...currency, ...body })) };
  },
  'DELETE /currencies/{id}': ({ id }) => ({
    currency: changed(currencyOf(id), { isActive: false }),
  }),
  'POST /currencies/{id}/activate': ({ id }) => ({
    currency: changed(currencyOf(id), { isActive: true }),
  }),
};

function add(list, fields) {
  const made = { id: randomUUID(), ...fields };
  list.push(made);
  return made;
}

function listed(list, { includeInactive, includeInvisible }) {
  return list.filter(
    ({ isActive, isVisible }) =>
      (isActive || includeInactive === 'true') && (isVisible || includeInvisible === 'true'),
  );
}

function checkedPlan({
  name,
  displayName,
  description,
  priceMonthly = null,
  priceYearly = null,
  currency = 'usd',
  limits = {},
  features = {},
  displayOrder = 0,
  isActive = true,
  isVisible = true,
}) {
  if (!name?.trim()) refuse(400, 'Name is required');
  if (!displayName?.en || !description?.en) {
    refuse(400, 'English display name and description are required');
  }
  checkLimits('plan', limits);
  const texts = { name, displayName, description, features };
  const prices = { priceMonthly, priceYearly, currency };
  return { ...texts, ...prices, limits, displayOrder, isActive, isVisible };
}

function freeCode({ code }) {
  if (!/^[a-z]{3}$/i.test(code ?? '')) {
    refuse(400, 'Currency code must be exactly 3 characters (ISO 4217)');
  }
  const lower = code.toLowerCase();
  const isTaken = currencies.some((currency) => currency.code === lower);
  return isTaken ? refuse(409, 'A currency with this code already exists') : lower;
}

function checkedCurrency(body) {
  const { name, symbol, useDecimals = true, decimalPlaces = 2 } = body;
  const { displayOrder = 999, isActive = true } = body;
  if (!name?.trim() || !symbol?.trim()) refuse(400, 'Code, name, and symbol are required');
  whole(decimalPlaces, 'decimalPlaces', [0, 4]);
  whole(displayOrder, 'displayOrder', [0, Infinity]);
  return { name, symbol, useDecimals, decimalPlaces, displayOrder, isActive };
}
