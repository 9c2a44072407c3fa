import { consequenceGet } from '@meridian/contract/bulk';
import type { ConsequenceOf } from '@meridian/contract/bulk';
import { planCreate, planSetActive } from '@meridian/contract/plans';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { UNKNOWN } from '../../test/changes/change.ts';
import { grantPlan, insertPost, insertUser } from '../../test/fixtures.ts';
import { planBody } from '../../test/plan-fixtures.ts';
import { sql } from '../db/sql.ts';

describe.each(EITHER)('consequences on %s', (engine) => {
  const api = setUpApp(engine);

  test('say whom a change concerns, and nothing where it concerns nothing else', async () => {
    const { token } = await api.signIn();
    const ask = async (of: ConsequenceOf, id?: string) =>
      (await api.call(consequenceGet, { token, query: { of, ...(id !== undefined && { id }) } }))
        .answer.sentences;
    const user = await insertUser(api.db, { has_access_keyword_access: true });
    await insertPost(api.db, user);
    await insertPost(api.db, user, { status: 'COMPLETED' });
    const { planId, ticketId } = await grantPlan(api.db, user, {
      code: 'ABCD-EFGH-JKLM-NPQR',
    });
    await api.db.execute(sql`update tickets set max_redemptions = 5, redemption_count = 1`);
    const usd = await api.db.one<{ id: string }>(sql`select id from currencies where code = 'usd'`);

    expect(await ask('userBlock', user)).toEqual([
      '1 scheduled post will not be published meanwhile.',
    ]);
    expect(await ask('planDeactivate', planId)).toEqual([
      '1 user has this plan and keeps it.',
      '1 ticket for it can still be redeemed.',
    ]);
    expect(await ask('ticketRevoke', ticketId ?? '')).toEqual([
      'It could still be redeemed 4 times.',
    ]);
    await api.db.execute(sql`update tickets set redemption_count = 5`);
    expect(await ask('ticketRevoke', ticketId ?? '')).toEqual([
      'It has been redeemed as often as it can be.',
    ]);
    expect(await ask('closedBeta')).toEqual([
      '1 existing user keeps access; 1 of them has an access keyword.',
    ]);
    expect(await ask('currencyDeactivate', usd.id)).toEqual([]);
    const priced = { tier: 'BASIC', priceMonthly: { usd: 5 }, priceYearly: { usd: 50 } } as const;
    const { plan } = (await api.call(planCreate, { token, body: planBody(priced) })).answer;
    expect(await ask('currencyDeactivate', usd.id)).toEqual(['1 active plan has prices in USD.']);
    await api.call(planSetActive, { token, params: { id: plan.id }, body: { isActive: false } });
    expect(await ask('currencyDeactivate', usd.id)).toEqual(['1 inactive plan has prices in USD.']);
    await api.call(planCreate, { token, body: planBody(priced) });
    expect(await ask('currencyDeactivate', usd.id)).toEqual([
      '2 plans have prices in USD, 1 of them active.',
    ]);
    for (const of of ['planDeactivate', 'currencyDeactivate', 'ticketRevoke'] as const) {
      expect(await ask(of, UNKNOWN.id)).toEqual([]);
    }
    expect(await ask('userBlock')).toEqual([]);
    expect(
      (await api.call(consequenceGet, { token, query: { of: 'nothing' as never } })).status,
    ).toBe(400);
  });
});
