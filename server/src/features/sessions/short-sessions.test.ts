import { authMe } from '@meridian/contract/auth';
import { deliveryGet } from '@meridian/contract/deliveries';
import { engineGet } from '@meridian/contract/engine';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { pass } from '../../../test/cluster/stopped-clock.ts';
import { sql } from '../../db/sql.ts';

describe.each(EITHER)('sessions with an idle timeout of one minute on %s', (engine) => {
  const api = setUpApp(engine, { env: { SESSION_IDLE_MINUTES: '1' }, isClockStopped: true });

  /** The status of a call made so many seconds after the one before. */
  const after = async (seconds: number, token: string) => {
    await pass(api.db, seconds);
    return (await api.call(authMe, { token })).status;
  };
  const seenSecondsAgo = async (adminId: string) => {
    const { seconds } = await api.db.one<{ seconds: number }>(sql`
      select extract(epoch from now() - last_seen_at)::float8 as seconds
      from admin_sessions where admin_id = ${adminId}`);
    return seconds;
  };

  test('continue while they are used', async () => {
    const session = await api.signIn();
    for (let call = 0; call < 4; call += 1) expect(await after(40, session.token)).toBe(200);
    expect(await after(61, session.token)).toBe(401);
  });

  test('are written to twice a minute at most', async () => {
    const session = await api.signIn();
    expect(await after(20, session.token)).toBe(200);
    expect(await seenSecondsAgo(session.adminId)).toBe(20);
    expect(await after(15, session.token)).toBe(200);
    expect(await seenSecondsAgo(session.adminId)).toBe(0);
  });

  test('end although the console polls', async () => {
    const { token } = await api.signIn();
    await pass(api.db, 40);
    expect((await api.call(engineGet, { token })).status).toBe(200);
    expect((await api.call(deliveryGet, { token, params: { id: 'none' } })).status).toBe(404);
    expect(await after(21, token)).toBe(401);
  });
});
