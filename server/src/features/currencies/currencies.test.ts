import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyList,
  currencyUpdate,
  currencyUpdateBody,
} from '@meridian/contract/currencies';
import type { CurrencyCreateBody } from '@meridian/contract/currencies';
import { planCreate } from '@meridian/contract/plans';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { planBody } from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { nameInSql, uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
import { TABLE } from './currencies.store.ts';

describe.each(EITHER)('currencies on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
  });

  const create = async (code: string, fields: Partial<CurrencyCreateBody> = {}) =>
    (await test.call(currencyCreate, { token, body: body(code, fields) })).answer.currency;
  const get = async (id: string) =>
    (await test.call(currencyGet, { token, params: { id } })).answer.currency;

  const count = async () =>
    (await test.db.one<{ n: number }>(sql`select count(*) as n from currencies`)).n;
  const someCurrency = async () => {
    const { currencies } = (await test.call(currencyList, { token })).answer;
    return currencies[0] ?? create('any');
  };

  describe('create', () => {
    // Proves 3.18
    it('fills what is left out with the defaults and stores the code in lower case', async () => {
      const sent = { code: ' EUR ', name: ' Euro ', symbol: ' € ' };
      const answer = await test.call(currencyCreate, { token, body: sent });
      expect(answer.status).toBe(201);
      const { currency } = answer.answer;
      expect(currency).toMatchObject({
        code: 'eur',
        name: 'Euro',
        symbol: '€',
        useDecimals: true,
        decimalPlaces: 2,
        displayOrder: 999,
        isActive: true,
      });
      expect(await get(currency.id)).toEqual(currency);
    });

    it.each([
      [{ useDecimals: false, decimalPlaces: 0, displayOrder: 0, isActive: false }],
      [{ useDecimals: true, decimalPlaces: 4, displayOrder: 2_147_483_647, isActive: true }],
    ])('takes %j', async (fields) => {
      const code = fields.isActive ? 'kwd' : 'jpy';
      expect(await create(code, fields)).toMatchObject({ code, ...fields });
    });

    // Proves 3.20, 5.3
    it.each([
      [{}, 'Code, name, and symbol are required'],
      [body('c1f'), 'Currency code must be three letters (ISO 4217)'],
      [body('chf', { decimalPlaces: 5 }), 'Decimal places must be a whole number from 0 to 4'],
      [body('chf', { displayOrder: 2_147_483_648 }), 'Display order must be at most 2147483647'],
      [{ ...body('chf'), isActive: 'yes' }, 'isActive must be true or false'],
      [{ ...body('chf'), rate: 1 }, 'Unknown field: rate'],
    ])('refuses %j', async (sent, message) => {
      const before = await count();
      const { status, error } = await test.call(currencyCreate, { token, body: sent });
      expect(status).toBe(400);
      expect(error).toMatchObject({ code: 'invalid_input', message });
      expect(await count()).toBe(before);
    });

    it('gives a code away once, however many ask at the same time', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => test.call(currencyCreate, { token, body: body('sek') })),
      );
      const refused = answers.filter(({ status }) => status === 409);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(refused).toHaveLength(19);
      for (const { error } of refused) {
        expect(error.code).toBe('currency_code_taken');
        expect(error.message).toBe('A currency with this code already exists');
      }
    });
  });

  // Proves 3.21
  it('lists active currencies, or all, by display order and code', async () => {
    await create('zzb', { displayOrder: 1 });
    await create('zza', { displayOrder: 1 });
    await create('zzc', { displayOrder: 0, isActive: false });

    const active = await test.call(currencyList, { token });
    expect(ours(active.answer.currencies)).toEqual(['zza', 'zzb']);
    expect(active.answer.currencies.every(({ isActive }) => isActive)).toBe(true);
    const explicit = await test.call(currencyList, { token, query: { includeInactive: false } });
    expect(explicit.answer).toEqual(active.answer);
    const all = await test.call(currencyList, { token, query: { includeInactive: true } });
    expect(ours(all.answer.currencies)).toEqual(['zzc', 'zza', 'zzb']);
  });

  it('refuses a list filter that is neither true nor false', async () => {
    const { status, error } = await test.call(currencyList, {
      token,
      query: { includeInactive: '1' },
    });
    expect([status, error.message]).toEqual([400, 'includeInactive must be true or false']);
  });

  describe('update', () => {
    // Proves 4.30
    it('changes what is sent and nothing else', async () => {
      const neighbour = await create('nok');
      const before = await create('dkk', { displayOrder: 5 });
      const params = { id: before.id };
      const patch = { name: 'Krone', decimalPlaces: 0 };
      const { answer } = await test.call(currencyUpdate, { token, params, body: patch });
      expect(answer.currency).toEqual({
        ...before,
        ...patch,
        version: answer.currency.version,
        updatedAt: answer.currency.updatedAt,
      });
      expect(answer.currency.updatedAt >= before.updatedAt).toBe(true);
      expect(answer.currency.version).toBeGreaterThan(before.version);
      expect(await get(before.id)).toEqual(answer.currency);
      expect(await get(neighbour.id)).toEqual(neighbour);
    });

    it('takes every field at once, but not none', async () => {
      const { id } = await create('pln');
      const params = { id };
      const everything = {
        name: 'Zloty',
        symbol: 'zł',
        useDecimals: false,
        decimalPlaces: 4,
        displayOrder: 0,
        isActive: false,
      };
      const all = await test.call(currencyUpdate, { token, params, body: everything });
      expect(all.answer.currency).toMatchObject({ id, code: 'pln', ...everything });
      const none = await test.call(currencyUpdate, { token, params, body: {} });
      const sentence = 'Send at least one field of the currency';
      expect(refusal(none)).toEqual(catalogued('invalid_input', sentence));
    });

    // Proves 3.19
    it.each([
      [{ name: null }, 'Name and symbol are required'],
      [{ code: 'xxx' }, 'Unknown field: code'],
    ])('refuses %j', async (patch, message) => {
      const currency = await someCurrency();
      const params = { id: currency.id };
      const { status, error } = await test.call(currencyUpdate, { token, params, body: patch });
      expect([status, error.code, error.message]).toEqual([400, 'invalid_input', message]);
      expect(await get(currency.id)).toEqual(currency);
    });

    it('keeps the decimal places that prices need', async () => {
      const currency = await create('gbp', { decimalPlaces: 3 });
      const priced = planBody({ priceMonthly: { gbp: 1.25 } });
      expect((await test.call(planCreate, { token, body: priced })).status).toBe(201);
      const patch = (change: object) =>
        test.call(currencyUpdate, { token, params: { id: currency.id }, body: change });

      for (const change of [{ decimalPlaces: 1 }, { useDecimals: false }]) {
        const { status, error } = await patch(change);
        expect([status, error.code]).toEqual([409, 'currency_decimals_in_use']);
        expect(error.message).toBe(
          'Plans have prices with more decimal places in this currency. Change those prices first',
        );
        expect(await get(currency.id)).toEqual(currency);
      }
      expect((await patch({ decimalPlaces: 2 })).status).toBe(200);
    });
  });

  it('has the longest texts of the contract as checks of the table', async () => {
    const { id } = await create('mxn');
    const { properties = {} } = z.toJSONSchema(currencyUpdateBody, { io: 'input' });
    const bounds = Object.entries(properties).flatMap(([field, schema]) => {
      const max = /"maxLength":(\d+)/.exec(JSON.stringify(schema))?.[1];
      // The fields of a patch are among those of the table.
      return max === undefined ? [] : [[TABLE[field as keyof typeof TABLE], Number(max)] as const];
    });
    expect(bounds.length).toBeGreaterThan(1);
    for (const [column, max] of bounds) {
      const write = (length: number) =>
        test.db.execute(sql`
          update currencies set ${nameInSql(column)} = repeat('x', ${length}) where id = ${id}`);
      expect([column, await write(max)]).toEqual([column, 1]);
      await expect(write(max + 1)).rejects.toThrow('check constraint');
    }
  });

  describe.each([
    ['deactivate', currencyDeactivate, false],
    ['activate', currencyActivate, true],
  ] as const)('%s', (_, endpoint, isActive) => {
    it('sets the flag, twice without harm', async () => {
      const code = isActive ? 'inr' : 'idr';
      const neighbour = await create(isActive ? 'brl' : 'clp', { isActive: !isActive });
      const before = await create(code, { isActive: !isActive });
      const params = { id: before.id };
      const first = await test.call(endpoint, { token, params });
      const { currency } = first.answer;
      expect(currency).toEqual({
        ...before,
        isActive,
        version: currency.version,
        updatedAt: currency.updatedAt,
      });
      expect(currency.version).toBeGreaterThan(before.version);
      const second = await test.call(endpoint, { token, params });
      expect([second.status, second.answer]).toEqual([200, first.answer]);
      expect(await get(neighbour.id)).toEqual(neighbour);
    });
  });

  describe.each([
    ['get', currencyGet, undefined],
    ['update', currencyUpdate, { name: 'X' }],
    ['deactivate', currencyDeactivate, undefined],
    ['activate', currencyActivate, undefined],
  ] as const)('%s of nothing', (_, endpoint, sent) => {
    it.each([uuidV7(), 'eur', '%00', "1' or '1'='1"])('answers 404 for %s', async (id) => {
      const answer = await test.call(endpoint, {
        token,
        params: { id },
        ...(sent !== undefined && { body: sent }),
      });
      expect(refusal(answer)).toEqual(catalogued('currency_not_found', 'Currency not found'));
    });
  });

  it('never lets a capital or a digit into a code, past the API either', async () => {
    const insert = test.db.execute(
      sql`insert into currencies (id, code, name, symbol) values (${uuidV7()}, 'MXN', 'x', 'x')`,
    );
    await expect(insert).rejects.toMatchObject({ constraint: 'currencies_code_check' });
  });
});

function body(code: string, fields: Partial<CurrencyCreateBody> = {}) {
  return { code, name: `Currency ${code}`, symbol: '¤', ...fields };
}

/** The codes that one test made for itself. */
function ours(currencies: { code: string }[]): string[] {
  return currencies.map(({ code }) => code).filter((code) => code.startsWith('zz'));
}

const CHANGED = 'This currency was changed by someone else. Reload and try again.';

describe.each(EITHER)('versions of currencies on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
  });

  const create = async (code: string) => {
    const body = { code, name: `Currency ${code}`, symbol: '¤' };
    return (await test.call(currencyCreate, { token, body })).answer.currency;
  };
  const get = (id: string) => test.call(currencyGet, { token, params: { id } });

  it('are answered in the header and in the body, the list included', async () => {
    const currency = await create('eur');
    const { headers, answer } = await get(currency.id);
    expect(answer.currency).toEqual(currency);
    expect(headers['etag']).toBe(`"v${currency.version}"`);
    const { currencies } = (await test.call(currencyList, { token })).answer;
    expect(currencies).toContainEqual(currency);
  });

  it.each([
    ['update', currencyUpdate, { name: 'Renamed' }],
    ['deactivate', currencyDeactivate, undefined],
    ['activate', currencyActivate, undefined],
  ] as const)('let %s through from the version it started from, and no other', async (...row) => {
    const [name, endpoint, body] = row;
    const first = await create(name.slice(0, 3));
    const params = { id: first.id };
    const moved = await test.call(currencyUpdate, { token, params, body: { symbol: '%' } });
    const { version } = moved.answer.currency;
    const ask = (ifMatch: string) =>
      test.call(endpoint, {
        token,
        params,
        headers: { 'if-match': ifMatch },
        ...(body !== undefined && { body }),
      });

    for (const stale of [`"v${first.version}"`, `W/"v${version}"`, '"something"', '']) {
      const { status, error } = await ask(stale);
      expect([status, error.code, error.message]).toEqual([
        412,
        'currency_changed_elsewhere',
        CHANGED,
      ]);
    }
    expect((await get(first.id)).answer).toEqual(moved.answer);
    const done = await ask(`"v${first.version}", "v${version}"`);
    expect(done.status).toBe(200);
    expect(done.headers['etag']).toBe(`"v${done.answer.currency.version}"`);
  });

  it('are no condition for a client that names none, or any', async () => {
    const { id } = await create('any');
    const params = { id };
    const body = { name: 'Renamed' };
    expect((await test.call(currencyUpdate, { token, params, body })).status).toBe(200);
    const headers = { 'if-match': '*' };
    expect((await test.call(currencyUpdate, { token, params, body, headers })).status).toBe(200);
  });

  it('let one of twenty through that start from the same', async () => {
    const { id, version } = await create('one');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        test.call(currencyUpdate, {
          token,
          params: { id },
          headers: { 'if-match': `"v${version}"` },
          body: { displayOrder: index },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
  });
});
