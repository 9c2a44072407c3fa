import { randomInt } from 'node:crypto';
import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyList,
  currencyUpdate,
} from '@meridian/contract/currencies';
import { isRecord } from '@meridian/contract/response-shape';
import { badBody, idOf, rowsOf } from './probe.ts';
import type { Probe } from './probe.ts';
import { createStored, expectListed } from './stored.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Makes one currency, changes it and leaves it inactive. */
export async function checkCurrencies(probe: Probe): Promise<void> {
  const listed = await probe.succeeds(currencyList, { query: { includeInactive: 'true' } });
  const taken = new Set(rowsOf(listed, 'currencies').map(({ code }) => code));
  const made = {
    code: freeCode(taken),
    name: 'check-upstream',
    symbol: '¤',
    useDecimals: true,
    decimalPlaces: 3,
    displayOrder: 999,
    isActive: false,
  };
  const refuse = (body: object, why: string) =>
    probe.isRefused(currencyCreate, { body }, badBody(why));
  await refuse({ ...made, code: 'toolong' }, 'a code that is not 3 characters long');
  await refuse({ ...made, name: '' }, 'an empty name');
  await refuse({ ...made, decimalPlaces: 5 }, '5 decimal places');

  const created = (await probe.succeeds(currencyCreate, { body: made }))?.['currency'];
  const id = isRecord(created) ? idOf(created) : null;
  if (id === null) {
    probe.report.add('notTried', currencyUpdate, 'a success: no currency could be made');
    return;
  }
  const params = { id };
  const expectStored = createStored(probe, { get: currencyGet, name: 'currency', id });
  await expectStored(currencyCreate, made);
  await expectListed(
    probe,
    { list: currencyList, name: 'currencies', id, query: { includeInactive: 'true' } },
    'an inactive currency is not in the list with ?includeInactive=true: it could not be activated again',
  );
  const again = { statuses: [400, 409, 422], of: 'to a code that is taken' };
  await probe.isRefused(currencyCreate, { body: made }, again);

  const { code: _, ...rest } = made;
  const patch = { ...rest, name: 'check-upstream 2', decimalPlaces: 0, useDecimals: false };
  await probe.succeeds(currencyUpdate, { params, body: patch });
  await expectStored(currencyUpdate, patch);
  await probe.isRefused(currencyUpdate, { params, body: { name: '' } }, badBody('an empty name'));
  await expectStored(currencyUpdate, {});

  await probe.succeeds(currencyActivate, { params });
  await expectStored(currencyActivate, { isActive: true });
  await probe.succeeds(currencyDeactivate, { params });
  await expectStored(currencyDeactivate, { isActive: false });
  probe.report.add(
    'notes',
    currencyCreate,
    `the currency ${made.code} was made and is left inactive`,
  );
}

/** A server that hides inactive currencies does not list those that were made before. */
const USED = new Set(['qar']);

/** ISO 4217 has few codes that begin with x, and none with q but qar. */
function freeCode(taken: ReadonlySet<unknown>): string {
  for (;;) {
    const letter = () => LETTERS[randomInt(LETTERS.length)] ?? 'x';
    const code = `q${letter()}${letter()}`;
    if (taken.has(code) || USED.has(code)) continue;
    USED.add(code);
    return code;
  }
}
