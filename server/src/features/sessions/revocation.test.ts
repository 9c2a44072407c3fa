import { authLogin, authLogout, authMe, authPassword } from '@meridian/contract/auth';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { aimAtRows, SHUT_CALLS } from '../../../test/every-call.ts';
import type { Aim } from '../../../test/every-call.ts';
import { begun, untilWaiting, whileLocked } from '../../../test/queue-up.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { createAdministratorsService } from '../administrators/administrators.service.ts';
import { disableAdmin, findAdmin, setPassword } from '../administrators/administrators.store.ts';
import type { AdminRow } from '../administrators/administrators.store.ts';
import { hashToken, newToken } from './sessions.service.ts';
import { insertSession } from './sessions.store.ts';

const NEW_PASSWORD = 'quiet river stones';

describe.each(EITHER)('a session ends at once on %s', (engine) => {
  const api = setUpApp(engine);
  let aim: Aim;
  beforeAll(async () => {
    await api.signIn();
    aim = await aimAtRows(api.db);
  });

  const host = () =>
    createAdministratorsService({
      db: api.db,
      passwordMinLength: 8,
      initialPassword: api.context.initialPassword,
    });

  /** Five valid tokens of one administrator. */
  async function fiveTokens(): Promise<SignedIn & { tokens: string[] }> {
    const signedIn = await api.signIn();
    const admin = await findAdmin(api.db, signedIn.username);
    if (admin === null) throw new Error('The new administrator was not found');
    const others = Array.from({ length: 4 }, newToken);
    for (const token of others) {
      await insertSession(api.db, { tokenHash: hashToken(token), admin, maxSeconds: 3600 });
    }
    const tokens = [signedIn.token, ...others];
    for (const token of tokens) expect((await api.call(authMe, { token })).status).toBe(200);
    return { ...signedIn, tokens };
  }

  /** The distinct responses to every call with each token. */
  async function responsesTo(tokens: readonly string[]): Promise<Set<string>> {
    const responses = new Set<string>();
    for (const token of tokens) {
      for (const endpoint of SHUT_CALLS) {
        const { statusCode, body } = await api.app.inject({
          method: endpoint.method,
          url: aim(endpoint),
          headers: { authorization: `Bearer ${token}` },
        });
        responses.add(`${statusCode} ${JSON.parse(body).code}`);
      }
    }
    return responses;
  }
  const OVER = new Set(['401 session_ended']);

  test('after logging out, for every call', async () => {
    const { tokens, token } = await fiveTokens();
    await api.call(authLogout, { token });
    expect(await responsesTo([token])).toEqual(OVER);
    expect((await api.call(authMe, { token: tokens[1] })).status).toBe(200);
  });

  test('also for requests that arrive while others are looked up', async () => {
    const { tokens, token } = await fiveTokens();
    const ask = (given: string) => api.call(authMe, { token: given });
    const under = Array.from({ length: 8 }, () => ask(token));
    await api.call(authLogout, { token });
    // In one lookup with live sessions, which stay so.
    const after = await Promise.all([...tokens, ...tokens].map(ask));
    expect(after.map(({ status }) => status)).toEqual(
      [...tokens, ...tokens].map((given) => (given === token ? 401 : 200)),
    );
    for (const { status } of await Promise.all(under)) expect([200, 401]).toContain(status);
  });

  test('and is never taken for another in the same lookup', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => api.signIn()));
    const [gone] = people;
    await api.call(authLogout, { token: gone?.token });
    const asked = [...people, ...people.toReversed()];
    const responses = await Promise.all(asked.map(({ token }) => api.call(authMe, { token })));
    const names = responses.map((one) => (one.status === 200 ? one.answer.username : null));
    expect(names).toEqual(asked.map((person) => (person === gone ? null : person.username)));
  });

  test('after a password change, but for the session that changed it', async () => {
    const { tokens, token, password } = await fiveTokens();
    const body = { currentPassword: password, newPassword: NEW_PASSWORD };
    // An extra field is refused, and nothing changes.
    const extra = await api.call(authPassword, { token, body: { ...body, deviceId: 'x' } });
    expect(extra.status).toBe(400);
    expect((await api.call(authMe, { token: tokens[1] })).status).toBe(200);
    expect((await api.call(authPassword, { token, body })).status).toBe(200);
    expect(await responsesTo(tokens.slice(1))).toEqual(OVER);
    expect((await api.call(authMe, { token })).status).toBe(200);
  });

  test('after the operator has reset the password, which then works', async () => {
    const neighbour = await api.signIn();
    const { tokens, username, password } = await fiveTokens();
    await host().resetPassword(await host().find(username), NEW_PASSWORD);
    expect(await responsesTo(tokens)).toEqual(OVER);
    const login = (given: string) => api.call(authLogin, { body: { username, password: given } });
    expect((await login(password)).status).toBe(401);
    expect((await login(NEW_PASSWORD)).status).toBe(200);
    expect((await api.call(authMe, { token: neighbour.token })).status).toBe(200);
  });

  test('after the operator has disabled the administrator, also once enabled again', async () => {
    const neighbour = await api.signIn();
    const { tokens, username, password } = await fiveTokens();
    const account = await host().find(username);
    const login = () => api.call(authLogin, { body: { username, password } });
    await host().disable(account);
    expect(await responsesTo(tokens)).toEqual(OVER);
    expect((await login()).error.code).toBe('invalid_credentials');
    await host().enable(account);
    expect(await responsesTo(tokens)).toEqual(OVER);
    expect((await login()).status).toBe(200);
    expect((await api.call(authMe, { token: neighbour.token })).status).toBe(200);
  });

  test.each([
    ['a reset', (account: AdminRow) => host().resetPassword(account, NEW_PASSWORD)],
    [
      'disabling and enabling',
      async (account: AdminRow) => {
        await host().disable(account);
        await host().enable(account);
      },
    ],
  ])('when its sign-in was overtaken by %s', async (_, overtake) => {
    const { username } = await api.signIn();
    const seen = await findAdmin(api.db, username);
    if (seen === null) throw new Error('The new administrator was not found');
    await overtake(await host().find(username));
    const token = newToken();
    await insertSession(api.db, { tokenHash: hashToken(token), admin: seen, maxSeconds: 3600 });
    expect((await api.call(authMe, { token })).error.code).toBe('session_ended');
  });

  test.each([
    ['disabled', (tx: Db, id: string) => disableAdmin(tx, id)],
    ['given another password', (tx: Db, id: string) => setPassword(tx, id, '$another')],
  ])('before it starts, when the administrator is %s during the sign-in', async (_, change) => {
    const { username, password, adminId } = await api.signIn();
    const lock = sql`select from admins where id = ${adminId} for no key update`;
    const logins: Promise<{ error: { code: string } }>[] = [];
    await whileLocked(api.db, lock, async (tx) => {
      logins.push(begun(() => api.call(authLogin, { body: { username, password } })));
      // The password has been verified by now.
      await untilWaiting(api.db, 1);
      await change(tx, adminId);
    });
    expect((await logins[0])?.error.code).toBe('invalid_credentials');
    const recorded = await api.db.one(sql`
      select (select count(*) from admin_sessions where admin_id = ${adminId}) as sessions,
             (select action from audit_log where entity_id = ${adminId}
              order by id desc limit 1) as action`);
    // The session that this test started with.
    expect(recorded).toEqual({ sessions: 1, action: 'authLoginFailed' });
  });
});
