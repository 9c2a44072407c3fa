import { currencyCreate } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { planCreate, planSetActive } from '@meridian/contract/plans';
import { settingsUpdate } from '@meridian/contract/settings';
import { ticketIssue } from '@meridian/contract/tickets';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { planBody } from '../../test/plan-fixtures.ts';
import { untilWaiting } from '../../test/queue-up.ts';
import { catalogued, refusal } from '../../test/refusal.ts';
import { HOST } from '../audit/audit.store.ts';
import { sql } from '../db/sql.ts';
import { deleteOldKeys } from './idempotency.ts';

describe.each(EITHER)('an idempotency key on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let planId: string;
  let key: string;
  let serial = 0;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    planId = (await api.context.plans.create(HOST, planBody())).id;
  });
  beforeEach(() => {
    key = newKey();
  });

  const newKey = () => `key-${(serial += 1)}`;
  const headers = (value = key) => ({ 'idempotency-key': value });
  const ticket = (memo: string) => ({ planId, validDays: 30, memo });
  const issue = (memo: string, options: { as?: string; under?: string } = {}) =>
    api.call(ticketIssue, {
      token: options.as ?? token,
      headers: headers(options.under),
      body: ticket(memo),
    });
  const tickets = async (memo: string) => {
    const row = await api.db.one<{ n: number }>(sql`
      select count(*) as n from tickets where memo = ${memo}`);
    return row.n;
  };

  test.each<[string, Endpoint, () => object]>([
    ['ticket', ticketIssue, () => ticket('twice')],
    ['plan', planCreate, () => planBody()],
    ['currency', currencyCreate, () => ({ code: 'xts', name: 'Test', symbol: 'T' })],
  ])('creates one %s and returns it twice', async (_, endpoint, bodyOf) => {
    const body = bodyOf();
    const entries = () => api.db.many(sql`select from audit_log where action = ${endpoint.name}`);
    const before = (await entries()).length;
    const first = await api.call(endpoint, { token, body, headers: headers() });
    const second = await api.call(endpoint, { token, body, headers: headers() });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.answer).toEqual(first.answer);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect((await entries()).length).toBe(before + 1);
  });

  const turn = (is_closed_beta: boolean) =>
    api.call(settingsUpdate, { token, headers: headers(), body: { is_closed_beta } });

  test('is accepted by the calls that create, and by no other', async () => {
    // A response is kept for a day, and that of a new API token shall not be.
    expect(ENDPOINTS.filter(({ takesKey }) => takesKey)).toEqual(
      ENDPOINTS.filter(({ status, name }) => status === 201 && name !== 'apiTokenCreate'),
    );
    await turn(true);
    expect((await turn(false)).answer.is_closed_beta).toBe(false);
  });

  test('is bound to one body', async () => {
    await issue('one content');
    expect(refusal(await issue('another content'))).toEqual(
      catalogued('key_used_otherwise', 'This Idempotency-Key was used for a different request'),
    );
    expect(await tickets('another content')).toBe(0);
  });

  test('refuses a second request while the first runs, and replays the response after', async () => {
    const { id } = await api.context.plans.create(HOST, planBody());
    const call = () =>
      api.call(ticketIssue, {
        token,
        headers: headers(),
        body: { ...ticket('at work'), planId: id },
      });
    const first = await api.db.transaction(async (tx) => {
      await tx.execute(sql`select from plans where id = ${id} for update`);
      const waiting = call();
      await untilWaiting(api.db, 1);
      expect(refusal(await call())).toEqual(catalogued('request_in_progress'));
      return { waiting };
    });
    const { answer } = await first.waiting;
    expect((await call()).answer).toEqual(answer);
    expect(await tickets('at work')).toBe(1);
  });

  test('creates one entity, however many requests are concurrent', async () => {
    const calls = await Promise.all(Array.from({ length: 20 }, () => issue('at once')));
    for (const call of calls) expect([201, 409]).toContain(call.status);
    const ids = calls.filter(({ status }) => status === 201).map(({ answer }) => answer.ticket.id);
    expect([ids.length > 0, new Set(ids).size, await tickets('at once')]).toEqual([true, 1, 1]);
  });

  test('expires after a day', async () => {
    const age = (hours: number) =>
      api.db.execute(sql`
        update idempotency_keys set created_at = now() - make_interval(hours => ${hours})
        where key = ${key}`);
    const stored = () => api.db.many(sql`select from idempotency_keys where key = ${key}`);
    const first = await issue('a day');
    await age(23);
    await deleteOldKeys(api.db);
    expect((await issue('a day')).answer).toEqual(first.answer);
    await age(25);
    const second = await issue('a day');
    expect(second.answer.ticket.id).not.toBe(first.answer.ticket.id);
    expect((await issue('a day')).answer).toEqual(second.answer);
    await age(25);
    await deleteOldKeys(api.db);
    expect(await stored()).toEqual([]);
  });

  test('belongs to one administrator and one call', async () => {
    const other = await api.signIn();
    const mine = await issue('whose');
    const theirs = await issue('whose', { as: other.token });
    expect(theirs.answer.ticket.issuer.handle).toBe(other.username);
    expect(theirs.answer.ticket.id).not.toBe(mine.answer.ticket.id);
    const plan = await api.call(planCreate, { token, headers: headers(), body: planBody() });
    expect(plan.status).toBe(201);
  });

  test('stays unused when the request is refused or fails', async () => {
    const params = { id: planId };
    await api.call(planSetActive, { token, params, body: { isActive: false } });
    expect((await issue('later')).status).toBe(400);
    await api.call(planSetActive, { token, params, body: { isActive: true } });
    await api.db.execute(sql`alter table audit_log rename to set_aside`);
    expect((await issue('later')).status).toBe(500);
    await api.db.execute(sql`alter table set_aside rename to audit_log`);
    expect((await issue('later')).status).toBe(201);
    expect(await tickets('later')).toBe(1);
  });

  test.each([
    ['nothing', ''],
    ['a blank', 'two words'],
    ['other letters', 'schlüssel'],
    ['too many characters', 'x'.repeat(256)],
  ])('cannot hold %s', async (_, under) => {
    expect(refusal(await issue('malformed', { under }))).toEqual(
      catalogued('invalid_input', 'Idempotency-Key must be 1 to 255 visible ASCII characters'),
    );
    expect(await tickets('malformed')).toBe(0);
  });

  test('may be as long as 255 characters', async () => {
    expect((await issue('long', { under: 'x'.repeat(255) })).status).toBe(201);
  });
});
