import { authLogin } from '@meridian/contract/auth';
import { beforeEach, describe, expect, test } from 'vitest';
import { verifyChain } from '../../server/src/audit/verify.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { sql } from '../../server/src/db/sql.ts';
import {
  ENTRIES_PER_HOUR,
  deleteOldFailures,
  recordFailure,
} from '../../server/src/features/sign-in-limits/attempts.store.ts';
import { EITHER, setUpApp } from '../../server/test/app.ts';
import { UNLIMITED, callsThrough, refusingGate } from '../../server/test/hash-counter.ts';

const FLOOD = 1000;
describe.each(EITHER)('failed sign-ins on %s', (engine) => {
  const api = setUpApp(engine, { env: UNLIMITED });
  beforeEach(() => api.db.execute(sql`delete from sign_in_failures`));

  const entries = async () => (await verifyChain(api.db)).entries;
  const counters = () =>
    api.db.many(sql`
      select network, failures, unknown_names, throttled from sign_in_failures order by 1`);

  test('a thousand with invented names leave no audit entry and one counter', async () => {
    const call = await callsThrough(api, refusingGate());
    const before = await entries();
    for (let n = 0; n < FLOOD; n += 1) {
      const body = { username: `invented-${n}`, password: 'not the one' };
      expect((await call(authLogin, { body })).status).toBe(401);
    }
    expect(await entries()).toBe(before);
    expect(await counters()).toEqual([
      { network: '127.0.0.1', failures: FLOOD, unknown_names: FLOOD, throttled: 0 },
    ]);
    const { text } = await api.db.one<{ text: string }>(sql`
      select string_agg(f::text, ' ') as text from sign_in_failures f`);
    expect(text).not.toContain('invented');
  });

  test('of an administrator have audit entries up to a limit per hour, and are all counted', async () => {
    const call = await callsThrough(api, refusingGate());
    const { username, adminId } = await api.signIn();
    const fail = async (times: number) => {
      const before = await entries();
      const body = { username, password: 'not the one' };
      for (let n = 0; n < times; n += 1) await call(authLogin, { body });
      return (await entries()) - before;
    };
    // As if this hour had just started.
    expect(await fail(1)).toBe(1);
    const pinHour = sql`
      update admin_failure_entries set hour = date_trunc('hour', now()), entries = ${ENTRIES_PER_HOUR - 2}
      where admin_id = ${adminId}`;
    await api.db.execute(pinHour);
    expect(await fail(5)).toBe(2);
    await api.db.execute(sql`
      update admin_failure_entries set hour = hour - interval '1 hour' where admin_id = ${adminId}`);
    expect(await fail(3)).toBe(3);
    expect(await counters()).toEqual([
      { network: '127.0.0.1', failures: 9, unknown_names: 0, throttled: 0 },
    ]);
    expect((await verifyChain(api.db)).flaws).toEqual([]);
  });

  test('with an invented name that are rate limited are counted without an audit entry', async () => {
    const before = await entries();
    const refusal = { action: 'authThrottled', admin: null, requestId: uuidV7() } as const;
    await recordFailure(api.db, { ...refusal, network: '203.0.113.9' });
    expect(await entries()).toBe(before);
    expect(await counters()).toEqual([
      { network: '203.0.113.9', failures: 0, unknown_names: 0, throttled: 1 },
    ]);
  });

  test('are deleted after ninety days, and the oldest beyond the maximum', async () => {
    await api.db.execute(sql`
      insert into sign_in_failures (day, network, failures, first_at, last_at)
      select current_date - n, '203.0.113.' || n, 1, now() - make_interval(days => n),
             now() - make_interval(days => n)
      from unnest(array[0, 1, 2, 89, 91]) as n`);
    const networks = async () =>
      (
        await api.db.many<{ network: string }>(
          sql`select network from sign_in_failures order by day`,
        )
      ).map(({ network }) => network.slice('203.0.113.'.length));
    await api.context.signInLimits.deleteOld();
    expect(await networks()).toEqual(['89', '2', '1', '0']);
    await deleteOldFailures(api.db, 2);
    expect(await networks()).toEqual(['1', '0']);
  });
});
