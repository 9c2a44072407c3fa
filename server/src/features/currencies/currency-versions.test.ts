import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyList,
  currencyUpdate,
} from '@meridian/contract/currencies';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';

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
