import { consequenceGet } from '@meridian/contract/consequences';
import type { ConsequenceOf } from '@meridian/contract/consequences';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { UNKNOWN } from '../../../test/changes/change.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { sql } from '../../db/sql.ts';

describe.each(EITHER)('consequences on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
  });
  afterAll(() => api.close());

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
    expect(await ask('closedBeta')).toEqual([
      '1 existing user keeps access; 1 of them has an access keyword.',
    ]);
    expect(await ask('currencyDeactivate', usd.id)).toEqual([]);
    for (const of of ['planDeactivate', 'currencyDeactivate', 'ticketRevoke'] as const) {
      expect(await ask(of, UNKNOWN.id)).toEqual([]);
    }
    expect(await ask('userBlock')).toEqual([]);
    expect(
      (await api.call(consequenceGet, { token, query: { of: 'nothing' as never } })).status,
    ).toBe(400);
  });
});
