import { authLogin, authLogout, authMe, authPassword } from '@meridian/contract/auth';
import { deliveryGet, engineGet } from '@meridian/contract/engine';
import { argon2Sync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { pass } from '../../../test/cluster/stopped-clock.ts';
import { SHUT_CALLS, aimAtRows } from '../../../test/every-call.ts';
import type { Aim } from '../../../test/every-call.ts';
import {
  UNLIMITED,
  callsThrough,
  countingGate,
  fullGate,
  refusingGate,
} from '../../../test/hash-counter.ts';
import { begun, untilWaiting, whileLocked } from '../../../test/queue-up.ts';
import { tableContents } from '../../../test/table-contents.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { createAdministratorsService } from '../administrators/administrators.service.ts';
import { disableAdmin, findAdmin, setPassword } from '../administrators/administrators.store.ts';
import type { AdminRow } from '../administrators/administrators.store.ts';
import { generatePassword } from '../passwords/passwords.ts';
import { createSignInLimits } from '../sign-in-limits/sign-in-limits.ts';
import {
  createSessionLookup,
  createSessionsService,
  hashToken,
  newToken,
  tokenOfHeader,
} from './sessions.service.ts';
import { findSessions, insertSession } from './sessions.store.ts';

/** Parameters, 16 bytes of salt, 32 bytes of tag. */
const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/;

describe.each(EITHER)('sessions on %s', (engine) => {
  const api = setUpApp(engine);

  describe('login', () => {
    // Proves 3.1
    test('gives a token that works, whatever the case of the name', async () => {
      const { username, password } = await api.signIn('mixed.case');
      const { answer } = await api.call(authLogin, {
        body: { username: ` ${username.toUpperCase()} `, password },
      });
      expect(answer.admin).toEqual({ username, displayName: null });
      expect(answer.token).toMatch(/^adm_[\w-]{43}$/);
      const me = await api.call(authMe, { token: answer.token });
      expect(me.answer).toMatchObject({ username, displayName: null });
    });

    test('refuses a wrong password, an unknown name and an impossible one alike', async () => {
      const { username, password } = await api.signIn();
      const attempts = [
        { username, password: `${password}x` },
        { username: 'unknown-name', password },
        { username: 'zero\u200bwidth', password },
      ];
      const responses = [];
      for (const body of attempts) responses.push(await api.call(authLogin, { body }));
      for (const { status, error, headers } of responses) {
        expect(status).toBe(401);
        expect(error).toMatchObject({
          message: 'Invalid username or password',
          code: 'invalid_credentials',
        });
        expect(headers['content-length']).toBe(responses[0]?.headers['content-length']);
      }
    });

    test.each([
      [{}, 'Username is required'],
      [{ username: 'a' }, 'Password is required'],
      [{ username: 'a', password: 'b', extra: 1 }, 'Unknown field: extra'],
      [{ username: 1, password: 'b' }, 'Username is required'],
    ])('refuses the body %j', async (body, message) => {
      const { status, error } = await api.call(authLogin, { body });
      expect(status).toBe(400);
      expect(error).toMatchObject({ message, code: 'invalid_input' });
      expect(error.issues?.length).toBeGreaterThan(0);
    });

    test('keeps the ten newest sessions', async () => {
      const { username, password, token } = await api.signIn();
      const tokens = [];
      for (let n = 0; n < 10; n += 1) {
        const { answer } = await api.call(authLogin, { body: { username, password } });
        tokens.push(answer.token);
      }
      expect((await api.call(authMe, { token })).error.code).toBe('session_ended');
      expect((await api.call(authMe, { token: tokens[0] })).status).toBe(200);
    });

    test('stores neither the token nor the password', async () => {
      const { username, password, token } = await api.signIn();
      const { answer } = await api.call(authLogin, { body: { username, password } });
      const newPassword = 'stored nowhere as it is';
      const body = { currentPassword: password, newPassword };
      expect((await api.call(authPassword, { token: answer.token, body })).status).toBe(200);
      const stored = await tableContents(api.db);
      expect(stored).toContain(hashToken(answer.token).toString('hex'));
      for (const secret of [token, answer.token, password, newPassword]) {
        for (const form of formsOf(secret)) {
          expect(stored).not.toContain(form);
          expect(api.logged.join('')).not.toContain(form);
        }
      }
      const hashes = await api.db.many<{ password_hash: string }>(
        sql`select password_hash from admins`,
      );
      for (const { password_hash } of hashes) {
        expect(password_hash).toMatch(PHC);
      }
    });

    test('brings an old hash up to today’s parameters', async () => {
      const { username, password } = await api.signIn();
      const old = weakHash(password);
      await api.db.execute(
        sql`update admins set password_hash = ${old} where username = ${username}`,
      );
      expect((await api.call(authLogin, { body: { username, password } })).status).toBe(200);
      const row = await api.db.one<{ password_hash: string }>(
        sql`select password_hash from admins where username = ${username}`,
      );
      expect(row.password_hash).toContain('m=19456,t=2,p=1');
      expect((await api.call(authLogin, { body: { username, password } })).status).toBe(200);
    });
  });

  describe('a session', () => {
    test.each([
      ['none', undefined],
      ['nothing after the scheme', 'Bearer'],
      ['another scheme', 'Basic YWRtaW46YWRtaW4='],
      ['a short token', 'Bearer adm_abc'],
      ['two tokens', `Bearer adm_${'a'.repeat(43)} adm_${'b'.repeat(43)}`],
    ])('needs a token: %s', async (_, authorization) => {
      const { status, error, headers } = await api.call(authMe, {
        headers: authorization === undefined ? {} : { authorization },
      });
      expect(status).toBe(401);
      expect(error).toMatchObject({ code: 'unauthenticated', message: 'Sign in to continue' });
      expect(headers['www-authenticate']).toBe('Bearer');
    });

    test('of an unknown token is refused', async () => {
      const { status, error } = await api.call(authMe, { token: `adm_${'a'.repeat(43)}` });
      expect(status).toBe(401);
      expect(error.code).toBe('session_ended');
    });

    test.each([
      ['after 30 idle minutes', sql`last_seen_at = now() - interval '30 minutes 1 second'`, 401],
      ['not after 29', sql`last_seen_at = now() - interval '29 minutes'`, 200],
      ['at its end', sql`expires_at = now() - interval '1 second'`, 401],
      ['twelve hours after its start', sql`created_at = now() - interval '12 hours 1 second'`, 401],
      ['when revoked', sql`revoked_at = now()`, 401],
      ['with an older epoch', sql`epoch = epoch - 1`, 401],
    ])('ends %s', async (_, change, status) => {
      const { token, adminId } = await api.signIn();
      await api.db.execute(sql`update admin_sessions set ${change} where admin_id = ${adminId}`);
      expect((await api.call(authMe, { token })).status).toBe(status);
    });

    test.each([
      ['idle', sql`last_seen_at = now() - interval '30 minutes'`, sql`last_seen_at`],
      ['since its start', sql`created_at = now() - interval '12 hours'`, sql`created_at`],
      ['to its end', sql`expires_at = now()`, sql`expires_at`],
    ])('ends to the millisecond: %s', async (_, atTheLimit, column) => {
      const { token, adminId } = await api.signIn();
      const tokenHash = hashToken(token);
      // now() is constant within a transaction.
      const [before, after] = await api.db.transaction(async (tx) => {
        const { session } = api.context.config;
        await tx.execute(sql`
          update admin_sessions set ${atTheLimit} where admin_id = ${adminId}`);
        const at = await findSessions(tx, [tokenHash], session);
        await tx.execute(sql`
          update admin_sessions set ${column} = ${column} + interval '1 millisecond'
          where admin_id = ${adminId}`);
        return [at, await findSessions(tx, [tokenHash], session)];
      });
      expect(before).toEqual([]);
      expect(after).toMatchObject([{ admin_id: adminId }]);
    });

    test('that ended a day ago is deleted, like rate limit counters of that age', async () => {
      const [old, live] = [await api.signIn(), await api.signIn()];
      await api.db.execute(sql`
        update admin_sessions set expires_at = now() - interval '25 hours'
        where admin_id = ${old.adminId}`);
      await api.db.execute(sql`
        insert into attempt_buckets (key, attempts, started_at, allowed, updated_at)
        select sha256(hours::text::bytea), 1, now(), true, now() - make_interval(hours => hours)
        from unnest(array[1, 25]) as hours`);
      await api.context.sessions.deleteEnded();
      await api.context.signInLimits.deleteOld();
      const left = await api.db.one(sql`
        select (select count(*) from admin_sessions where admin_id = ${old.adminId}) as old,
               (select count(*) from admin_sessions where admin_id = ${live.adminId}) as live,
               (select count(*) from attempt_buckets where key = sha256('1')) as recent,
               (select count(*) from attempt_buckets where key = sha256('25')) as aged`);
      expect(left).toEqual({ old: 0, live: 1, recent: 1, aged: 0 });
    });

    test('is written to at most once a minute', async () => {
      const { token, adminId } = await api.signIn();
      const lastSeen = async () =>
        (
          await api.db.one<{ at: string }>(
            sql`select last_seen_at::text as at from admin_sessions where admin_id = ${adminId}`,
          )
        ).at;
      const atFirst = await lastSeen();
      await api.call(authMe, { token });
      expect(await lastSeen()).toBe(atFirst);
      await api.db.execute(
        sql`update admin_sessions set last_seen_at = now() - interval '2 minutes' where admin_id = ${adminId}`,
      );
      const aged = await lastSeen();
      await api.call(authMe, { token });
      expect(await lastSeen()).not.toBe(aged);
    });
  });
});

/** A hash with parameters below the current ones. */
function weakHash(password: string): string {
  const nonce = Buffer.from('0123456789abcdef');
  const cost = { memory: 8192, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost });
  const [salt, sum] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=8192,t=1,p=1$${salt}$${sum}`;
}

/** The beginning of a secret in the encodings in which it could be stored. */
function formsOf(secret: string): string[] {
  const start = secret.replace('adm_', '').slice(0, 12);
  const bytes = [Buffer.from(start), Buffer.from(start, 'base64url')];
  return [start, ...bytes.flatMap((one) => [one.toString('hex'), one.toString('base64')])];
}

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
    expect((await api.call(authLogout, { token })).answer).toEqual({ success: true });
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

type Session = { token_hash: string; admin: string };

const hashOf = (name: string) => Buffer.from(name.padEnd(32, '.'));
const sessionOf = (name: string): Session => ({
  token_hash: hashOf(name).toString('hex'),
  admin: name,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Queries whose results the test decides. */
function heldQueries() {
  const sent: (PromiseWithResolvers<Session[]> & { asked: readonly Buffer[] })[] = [];
  const lookup = createSessionLookup((asked) => {
    const query = { asked, ...Promise.withResolvers<Session[]>() };
    sent.push(query);
    return query.promise;
  });
  return { find: (name: string) => lookup(hashOf(name)), sent };
}

test('lookups of one turn share a query; a token without a live session has none', async () => {
  const { find, sent } = heldQueries();
  const found = Promise.all(['ann', 'bob', 'ann', 'eve'].map(find));
  await turn();
  expect(sent).toHaveLength(1);
  // In another order, and with a session of another token.
  sent[0]?.resolve([sessionOf('zoe'), sessionOf('bob'), sessionOf('ann')]);
  expect((await found).map((session) => session?.admin)).toEqual(['ann', 'bob', 'ann', undefined]);
});

test('a lookup never joins a query that was sent before, nor reuses its result', async () => {
  const { find, sent } = heldQueries();
  const before = find('ann');
  await turn();
  // The session is revoked here, while the first query is still running.
  const after = find('ann');
  await turn();
  expect(sent).toHaveLength(2);
  sent[1]?.resolve([]);
  expect(await after).toBeNull();
  sent[0]?.resolve([sessionOf('ann')]);
  expect(await before).toMatchObject({ admin: 'ann' });
  const again = find('ann');
  await turn();
  sent[2]?.resolve([]);
  expect(await again).toBeNull();
});

test('a failed query fails its lookups, and no others', async () => {
  const { find, sent } = heldQueries();
  const failing = Promise.allSettled(['ann', 'bob', 'ann'].map(find));
  await turn();
  const next = find('ann');
  await turn();
  sent[0]?.reject(new Error('gone'));
  for (const outcome of await failing) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
  }
  sent[1]?.resolve([sessionOf('ann')]);
  expect(await next).toMatchObject({ admin: 'ann' });
});

describe.each(EITHER)('accounts cannot be enumerated on %s', (engine) => {
  const api = setUpApp(engine, { env: UNLIMITED });

  async function names() {
    const known = await api.signIn();
    const disabled = await api.signIn();
    await api.db.execute(sql`update admins set disabled_at = now() where id = ${disabled.adminId}`);
    return { known: known.username, disabled: disabled.username, unknown: 'unknown-name' };
  }

  /** The statements and hashes of a refused sign-in. */
  const work = async (
    username: string,
    password: string,
    { gate = countingGate(), code = 'invalid_credentials' } = {},
  ) => {
    const statements: string[] = [];
    const db = recording(api.db, statements);
    const { signInLimits, session } = api.context.config;
    const limits = createSignInLimits(db, signInLimits);
    const sessions = createSessionsService({ db, hashGate: gate, limits, session });
    const from = { address: '198.51.100.1', requestId: uuidV7() };
    await expect(sessions.signIn({ username, password }, from)).rejects.toMatchObject({ code });
    return { hashes: gate.count, statements };
  };

  const workRefused = (username: string) =>
    work(username, 'a wrong password', { gate: fullGate(), code: 'unavailable' });

  test('by cost: every name takes the same statements and one hash', async () => {
    const { known, disabled, unknown } = await names();
    const expected = await work(known, 'a wrong password');
    expect(expected.hashes).toBe(1);
    expect(expected.statements.length).toBeGreaterThan(3);
    expect(await work(unknown, 'a wrong password')).toEqual(expected);
    expect(await work(disabled, 'a wrong password')).toEqual(expected);
    // Even the right password of a disabled account.
    expect(await work(disabled, 'correct horse battery')).toEqual(expected);
  });

  test('by the cost of a sign-in that the hash gate refuses', async () => {
    const { known, disabled, unknown } = await names();
    const expected = await workRefused(known);
    expect(expected.hashes).toBe(1);
    // The refunds.
    expect(expected.statements.filter((text) => text.includes('attempts - 1'))).toHaveLength(3);
    expect(await workRefused(unknown)).toEqual(expected);
    expect(await workRefused(disabled)).toEqual(expected);
  });

  test('by the response: it is the same for two hundred names', async () => {
    const call = await callsThrough(api, refusingGate());
    const { known, disabled } = await names();
    const invented = Array.from({ length: 190 }, (_, index) => `${'n'.repeat(index % 60)}${index}`);
    const odd = [
      'Ünal',
      '管理者',
      'a b',
      'zero\u200bwidth',
      "x' or 1=1 --",
      '../admin',
      '\u202enimda',
    ];
    const responses = [];
    for (const username of [known, known.toUpperCase(), disabled, ...odd, ...invented]) {
      const { status, headers, error } = await call(authLogin, {
        body: { username, password: 'a wrong password' },
      });
      const { date: _date, 'x-request-id': _id, ...others } = headers;
      responses.push({ status, others, error: { ...error, requestId: '' } });
    }
    expect(responses).toHaveLength(200);
    expect(responses[0]).toMatchObject({
      status: 401,
      error: { code: 'invalid_credentials', message: 'Invalid username or password' },
    });
    for (const response of responses) expect(response).toEqual(responses[0]);
  });
});

/** The same database, recording the text of every statement. */
function recording(db: Database, statements: string[]): Database {
  return {
    ...db,
    maybeOne(query) {
      statements.push(query.text);
      return db.maybeOne(query);
    },
    one(query) {
      statements.push(query.text);
      return db.one(query);
    },
    execute(query) {
      statements.push(query.text);
      return db.execute(query);
    },
  };
}

/**
 * How far counts are from uniform, in standard deviations of the chi-square distribution. More than
 * twelve happens by chance in less than one of 10^12 runs.
 */
function unevenness(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count) / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = counts.length - 1;
  return (chiSquare - degrees) / Math.sqrt(2 * degrees);
}

describe('a token', () => {
  const tokens = Array.from({ length: 100_000 }, newToken);

  test('is unique', () => {
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test('has 32 uniformly distributed bytes', () => {
    const counts = Array.from({ length: 256 }, () => 0);
    for (const token of tokens) {
      const bytes = Buffer.from(token.slice('adm_'.length), 'base64url');
      if (bytes.length !== 32) throw new Error(`${token} holds ${bytes.length} bytes`);
      for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
    }
    expect(unevenness(counts)).toBeLessThan(12);
  });

  test('is read from the header', () => {
    const token = newToken();
    expect(tokenOfHeader(`Bearer ${token}`)).toBe(token);
    expect(tokenOfHeader(`bearer ${token}`)).toBe(token);
  });
});

test('a generated password has 24 uniformly distributed characters of at least 140 bits', () => {
  const counts = new Map<string, number>();
  const passwords = Array.from({ length: 20_000 }, generatePassword);
  for (const password of passwords) {
    if (!/^[1-9A-HJ-NP-Za-km-z]{24}$/.test(password)) throw new Error(password);
    for (const letter of password) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(new Set(passwords).size).toBe(passwords.length);
  expect(24 * Math.log2(counts.size)).toBeGreaterThan(140);
  expect(unevenness([...counts.values()])).toBeLessThan(12);
});
