import { authLogin } from '@meridian/contract/auth';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import {
  callsThrough,
  countingGate,
  fullGate,
  refusingGate,
  UNLIMITED,
} from '../../../test/hash-counter.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';
import { createSignInLimits } from '../sign-in-limits/sign-in-limits.ts';
import { createSessionsService } from './sessions.service.ts';

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
