import { authLogin } from '@meridian/contract/auth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { callsThrough, countingGate, fullGate, refusingGate } from '../../../test/hash-counter.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { createAuthService } from './auth.service.ts';
import { createLoginThrottle } from './login-throttle.ts';

/** Nobody is slowed down here: what is asked is whether names differ, not how many may be tried. */
const UNLIMITED = {
  LOGIN_FAILURES: '1000',
  LOGIN_ATTEMPTS_PER_NETWORK: '10000',
  LOGIN_FAILURES_PER_NAME: '10000',
  LOGIN_FAILURES_IN_A_ROW: '10000',
};

describe.each(ENGINES)('who has an account cannot be told, on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine, { env: UNLIMITED });
  });
  afterAll(() => api.close());

  async function names() {
    const known = await api.signIn();
    const disabled = await api.signIn();
    await api.db.execute(sql`update admins set disabled_at = now() where id = ${disabled.adminId}`);
    return { known: known.username, disabled: disabled.username, unknown: 'nobody-at-all' };
  }

  /** What a refused login has cost. */
  const work = async (
    username: string,
    password: string,
    { gate = countingGate(), code = 'invalid_credentials' } = {},
  ) => {
    const statements: string[] = [];
    const db = recording(api.db, statements);
    const auth = createAuthService({
      db,
      gate,
      throttle: createLoginThrottle(db, api.context.config.loginLimits),
      session: api.context.config.session,
      onPasswordReplaced: async () => {},
    });
    const from = { address: '198.51.100.1', requestId: uuidV7() };
    await expect(auth.login({ username, password }, from)).rejects.toMatchObject({ code });
    return { hashes: gate.count, statements };
  };

  const workRefused = (username: string) =>
    work(username, 'a wrong password', { gate: fullGate(), code: 'unavailable' });

  test('by the work done: every name costs the same statements and one hash', async () => {
    const { known, disabled, unknown } = await names();
    const expected = await work(known, 'a wrong password');
    expect(expected.hashes).toBe(1);
    expect(expected.statements.length).toBeGreaterThan(3);
    expect(await work(unknown, 'a wrong password')).toEqual(expected);
    expect(await work(disabled, 'a wrong password')).toEqual(expected);
    // Even the right password of a disabled account.
    expect(await work(disabled, 'correct horse battery')).toEqual(expected);
  });

  test('nor by what a login costs that the gate refuses', async () => {
    const { known, disabled, unknown } = await names();
    const expected = await workRefused(known);
    expect(expected.hashes).toBe(1);
    // What was counted is given back.
    expect(expected.statements.filter((text) => text.includes('attempts - 1'))).toHaveLength(3);
    expect(await workRefused(unknown)).toEqual(expected);
    expect(await workRefused(disabled)).toEqual(expected);
  });

  test('by the answer: two hundred names get the same one', async () => {
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
    const answers = [];
    for (const username of [known, known.toUpperCase(), disabled, ...odd, ...invented]) {
      const { status, headers, error } = await call(authLogin, {
        body: { username, password: 'a wrong password' },
      });
      const { date: _date, 'x-request-id': _id, ...others } = headers;
      answers.push({ status, others, error: { ...error, requestId: '' } });
    }
    expect(answers).toHaveLength(200);
    expect(answers[0]).toMatchObject({
      status: 401,
      error: { code: 'invalid_credentials', message: 'Invalid username or password' },
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

/** The same database, noting the text of every statement. */
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
