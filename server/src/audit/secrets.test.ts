import { authLogin, authPassword } from '@meridian/contract/auth';
import { ticketIssue, ticketRevoke } from '@meridian/contract/tickets';
import { expect, test } from 'vitest';
import { setUpApp } from '../../test/app.ts';
import { planBody } from '../../test/plan-fixtures.ts';
import { sql } from '../db/sql.ts';
import { HOST } from './audit.store.ts';

const api = setUpApp('embedded');

const KEY = 'key-sentinel-62c1';
const TYPED_AS_NAME = 'name sentinel b7f0';
const WRONG = 'wrong sentinel 91ae';
const FUTURE = 'future sentinel 4d55';

test('neither the audit log nor the log holds a secret', async () => {
  const { token, username, password } = await api.signIn();
  const login = (body: { username: string; password: string }) => api.call(authLogin, { body });
  const second = (await login({ username, password })).answer.token;
  await login({ username, password: WRONG });
  // What people type as a name by mistake is sometimes their password.
  await login({ username: TYPED_AS_NAME, password: WRONG });
  const change = { currentPassword: password, newPassword: FUTURE };
  await api.call(authPassword, { token, body: { ...change, currentPassword: WRONG } });
  await api.call(authPassword, { token, body: change });
  const { id: planId } = await api.context.plans.create(HOST, planBody());
  const issued = await api.call(ticketIssue, {
    token,
    headers: { 'idempotency-key': KEY },
    body: { planId, validDays: 30 },
  });
  const { id, code } = issued.answer.ticket;
  await api.call(ticketRevoke, { token, params: { id } });

  const hashes = await api.db.many<{ hash: string }>(sql`
    select password_hash as hash from admins
    union all select encode(token_hash, 'hex') from admin_sessions`);
  const secrets = [token, second, password, WRONG, FUTURE, TYPED_AS_NAME, KEY];
  const parts = [code, code.slice(5), ...hashes.map(({ hash }) => hash)];
  const { text, n } = await api.db.one<{ text: string; n: number }>(sql`
    select string_agg(audit_log::text, ' ') as text, count(*) as n from audit_log`);
  const failures = await api.db.many<{ line: string }>(sql`
    select sign_in_failures::text as line from sign_in_failures`);
  expect(failures).toHaveLength(1);
  const written = text + failures[0]?.line + api.logged.join('');
  expect([...secrets, ...parts].filter((secret) => written.includes(secret))).toEqual([]);
  // The plan, a sign-in that failed and one that did not, a password after a wrong one, a ticket and
  // its end. The sign-in with an unknown name is only counted.
  expect(n).toBe(7);
  expect(text).toContain(`${code.slice(0, 4)}-****-****-****`);
});
