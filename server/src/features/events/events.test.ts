import { authLogout, authMe } from '@meridian/contract/auth';
import { EVENT_TOPICS, eventStream } from '@meridian/contract/events';
import { planCreate } from '@meridian/contract/plans';
import { BACKGROUND_HEADER } from '@meridian/contract/requests';
import { statsGet } from '@meridian/contract/overview';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import { openEvents } from '../../../test/event-reader.ts';
import type { EventReader } from '../../../test/event-reader.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertTicket, planBody, redeemById } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';
import { changedEvent, EventStream } from './event-hub.ts';

/** Two in a second; a slow machine may take longer for each. */
const EVENTS_PER_MS = 2 / 1000;

describe.each(EITHER)('the stream of events on %s', (engine) => {
  const api = setUpApp(engine);
  let address: string;
  beforeAll(async () => {
    address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  });

  const open = async (token: string, lastEventId?: string): Promise<EventReader> => {
    const reader = await openEvents(address, token, lastEventId);
    expect(reader.status).toBe(200);
    return reader;
  };
  /** Returns what redeems it. */
  const issueTicket = async () => {
    const { adminId, token } = await api.signIn();
    const plan = await api.call(planCreate, { token, body: planBody({ name: uuidV7() }) });
    const ticketId = await insertTicket(api.db, plan.answer.plan.id, adminId);
    const userId = await insertUser(api.db);
    return () => redeemById(api.db, ticketId, userId);
  };
  const block = async () => {
    await api.context.users.update(HOST, await insertUser(api.db), { status: 'BLOCKED' });
  };

  test('names what administrators and the engine have changed', async () => {
    const { token } = await api.signIn();
    const reader = await open(token);
    expect((await reader.next()).topics).toEqual([]);
    await block();
    expect((await reader.until('users')).flatMap(({ topics }) => topics)).toContain('audit');
    await api.context.settings.update(HOST, { is_closed_beta: true });
    await reader.until('settings');
    const post = await insertPost(api.db, await insertUser(api.db));
    await reader.until('posts');
    await api.db.execute(sql`update posts set status = 'COMPLETED' where id = ${post}`);
    expect((await reader.until('posts')).at(-1)?.topics).toContain('engine');
    const redeem = await issueTicket();
    await redeem();
    await reader.until('tickets');
    reader.close();
  });

  test('begins with what was changed while the page was read', async () => {
    const { token } = await api.signIn();
    await block();
    const reader = await open(token);
    expect((await reader.next()).topics).toContain('users');
    reader.close();
  });

  test('begins with what the engine changed since the page asked who is signed in', async () => {
    const { token } = await api.signIn();
    const post = await insertPost(api.db, await insertUser(api.db));
    const { answer } = await api.call(authMe, { token });
    await api.db.execute(sql`update posts set status = 'COMPLETED' where id = ${post}`);
    const reader = await open(token, answer.eventId);
    const { topics } = await reader.next();
    expect(topics).toEqual(expect.arrayContaining(['posts', 'engine']));
    expect(topics).not.toContain('jobs');
    reader.close();
  });

  test('resumes without a gap, at any position', async () => {
    const { token } = await api.signIn();
    const redeem = await issueTicket();
    const first = await open(token);
    const { id } = await first.next();
    first.close();
    await block();
    const resumed = await open(token, id);
    const missed = await resumed.next();
    expect(missed.topics.toSorted()).toEqual(['audit', 'users']);
    resumed.close();
    await redeem();
    const again = await open(token, missed.id);
    expect((await again.next()).topics).toEqual(['tickets']);
    again.close();
    for (const unknown of ['no position', `999999999${'.000000000000'.repeat(3)}`]) {
      const other = await open(token, unknown);
      expect((await other.next()).topics.toSorted()).toEqual([...EVENT_TOPICS].toSorted());
      other.close();
    }
  });

  test('ends with its session, however that ends', async () => {
    const ends: [string, (admin: { token: string; adminId: string }) => Promise<unknown>][] = [
      ['logout', ({ token }) => api.call(authLogout, { token })],
      [
        'disabled',
        ({ adminId }) =>
          api.db.execute(sql`update admins set disabled_at = now() where id = ${adminId}`),
      ],
      [
        'expired',
        ({ adminId }) =>
          api.db.execute(
            sql`update admin_sessions set expires_at = now() where admin_id = ${adminId}`,
          ),
      ],
    ];
    const { token } = await api.signIn();
    const bystander = await open(token);
    const all = ends.map(async ([name, end]) => {
      const admin = await api.signIn();
      const reader = await open(admin.token);
      await reader.next();
      await end(admin);
      await reader.ended;
      return name;
    });
    expect(await Promise.all(all)).toEqual(['logout', 'disabled', 'expired']);
    await block();
    await bystander.until('users');
    bystander.close();
  });

  test('sends few events for many changes', async () => {
    const { token } = await api.signIn();
    const reader = await open(token);
    await reader.next();
    const startedAt = performance.now();
    for (let n = 0; n < 150; n += 1) await block();
    await api.context.settings.update(HOST, { is_closed_beta: false });
    const seen = await reader.until('settings');
    const most = Math.ceil((performance.now() - startedAt) * EVENTS_PER_MS) + 1;
    expect(seen.length).toBeLessThanOrEqual(most);
    reader.close();
  });

  test('serves many streams, but only so many of one administrator', async () => {
    const admins = await Promise.all([api.signIn(), api.signIn(), api.signIn()]);
    const tokens = admins.flatMap(({ token }) => Array.from({ length: 16 }, () => token));
    const readers = await Promise.all(tokens.map((token) => open(token)));
    const refused = await openEvents(address, tokens[0] ?? '');
    expect(refused.status).toBe(429);
    await block();
    await Promise.all(readers.map((reader) => reader.until('users')));
    for (const reader of readers) reader.close();
    await expect.poll(() => api.context.events.size()).toBe(0);
    const again = await open(tokens[0] ?? '');
    again.close();
  });

  test('is opened with a session and an Accept header only', async () => {
    expect((await api.call(eventStream)).status).toBe(401);
    const { token } = await api.signIn();
    expect((await api.call(eventStream, { token })).error.message).toBe(
      'Send Accept: text/event-stream',
    );
  });

  test('does not prolong a session, and neither do the reads it brings about', async () => {
    const { token, adminId } = await api.signIn();
    const idleSince = async () => {
      const { at } = await api.db.one<{ at: string }>(sql`
        select last_seen_at as at from admin_sessions where admin_id = ${adminId}`);
      return at;
    };
    await api.db.execute(sql`
      update admin_sessions set last_seen_at = now() - interval '10 minutes' where admin_id = ${adminId}`);
    const before = await idleSince();
    const reader = await open(token);
    await reader.next();
    await api.call(statsGet, { token, headers: { [BACKGROUND_HEADER]: '1' } });
    expect(await idleSince()).toBe(before);
    await api.call(statsGet, { token });
    expect(await idleSince()).not.toBe(before);
    reader.close();
  });
});

test('open streams end when the server stops', async () => {
  const api = await startTestApp('embedded');
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { token } = await api.signIn();
  const reader = await openEvents(address, token);
  await reader.next();
  await Promise.all([api.close(), reader.ended]);
  expect(api.context.events.size()).toBe(0);
});

test('a client that does not read is cut off', () => {
  const stream = new EventStream({ ownerId: 'a', tokenHash: Buffer.alloc(32) });
  for (let n = 0; n < 1000 && !stream.destroyed; n += 1)
    stream.send(changedEvent(`${n}`, ['posts']));
  expect(stream.destroyed).toBe(true);
  expect(stream.readableLength).toBeLessThan(17 * 1024);
});
