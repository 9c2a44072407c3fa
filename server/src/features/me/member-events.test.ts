import { accountDisconnect } from '@meridian/contract/accounts';
import { assignmentRevoke } from '@meridian/contract/assignments';
import { meGet, meSignOut } from '@meridian/contract/me/account';
import { meEvents, ME_TOPIC } from '@meridian/contract/events';
import { mePostUpdate } from '@meridian/contract/me/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { userUpdate } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import { openMemberEvents } from '../../../test/event-reader.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';
import { signInMember } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { inMinutes, startMember } from './testing/member-calls.ts';

const MAX_STREAMS_PER_PERSON = 8;

describe.each(EITHER)('the stream of events of a member on %s', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });
  let address: string;
  let token: string;
  beforeAll(async () => {
    address = await api.app.listen({ port: 0, host: '127.0.0.1' });
    ({ token } = await api.signIn());
  });

  const open = async (headers: Record<string, string>, lastEventId?: string) => {
    const reader = await openMemberEvents(address, headers, lastEventId);
    expect(reader.status).toBe(200);
    return reader;
  };
  /** Signed in, with a stream that has begun. */
  async function follow(limits: Record<string, unknown> = {}) {
    const member = await startMember(api, limits);
    const reader = await open(member.headers);
    // It does not say where it stands, so it may have missed something.
    expect((await reader.next()).topics).toEqual([ME_TOPIC]);
    return { ...member, reader };
  }
  const change = (id: string, body: { status: 'BLOCKED' | 'SUSPENDED' | 'RESTRICTED' }) =>
    api.call(userUpdate, { token, params: { id }, body });

  test('tells of each thing that the page shows, and of no other member', async () => {
    const { userId, headers, reader, schedule } = await follow();
    const bystander = await follow();
    const told = async (act: () => Promise<unknown>) => {
      await act();
      expect((await reader.next()).topics).toEqual([ME_TOPIC]);
    };
    await told(() => change(userId, { status: 'RESTRICTED' }));
    await told(() => change(userId, { status: 'SUSPENDED' }));
    await told(() => api.db.execute(sql`update users set status = 'ACTIVE' where id = ${userId}`));
    await told(() =>
      api.db.execute(sql`insert into accounts (user_id, host) values (${userId}, 'host.test')`),
    );
    await told(() => api.call(accountDisconnect, { token, params: { id: userId } }));
    const { post } = (await schedule()).answer;
    await reader.next();
    const body = { content: 'Other words', scheduledAt: inMinutes(95) };
    await told(() => api.call(mePostUpdate, { headers, params: { id: post.id }, body }));
    await told(() =>
      api.db.execute(sql`update posts set status = 'COMPLETED' where id = ${post.id}`),
    );
    const { assignmentId } = await grantPlan(api.db, userId);
    await reader.next();
    const params = { id: userId, assignmentId };
    await told(() => api.call(assignmentRevoke, { token, params }));
    // All that came: the first event.
    expect(bystander.reader.events).toHaveLength(1);
    // The state of the service concerns both, and both streams stay.
    await told(() => api.call(settingsUpdate, { token, body: { is_service_suspended: true } }));
    await bystander.reader.next();
    await told(() => api.call(settingsUpdate, { token, body: { is_service_suspended: false } }));
    reader.close();
    bystander.reader.close();
  });

  test('ends with the session of a member who is blocked, and says so at once', async () => {
    const { userId, headers, reader } = await follow();
    const other = await follow();
    await change(userId, { status: 'BLOCKED' });
    expect((await reader.next()).topics).toEqual([ME_TOPIC]);
    await reader.ended;
    expect(refusal(await api.call(meGet, { headers }))).toEqual(catalogued('session_ended'));
    const again = await openMemberEvents(address, headers);
    expect(again.status).toBe(401);
    expect((await api.call(meGet, { headers: other.headers })).status).toBe(200);
    other.reader.close();
  });

  test('ends with its session, however that ends, and with no other of the member', async () => {
    const { userId, headers, reader } = await follow();
    const elsewhere = await signInMember(api, userId);
    const other = await open(elsewhere);
    await other.next();
    await api.call(meSignOut, { headers });
    await reader.ended;
    await change(userId, { status: 'RESTRICTED' });
    expect((await other.next()).topics).toEqual([ME_TOPIC]);
    await api.db.execute(sql`update users set is_active = false where id = ${userId}`);
    await other.ended;
    const expiring = await follow();
    await api.db.execute(
      sql`update member_sessions set expires_at = now() where user_id = ${expiring.userId}`,
    );
    await expiring.reader.ended;
  });

  test('resumes without a gap, and begins quietly where nothing has changed', async () => {
    const { userId, headers, reader } = await follow();
    const [first] = reader.events;
    reader.close();
    const quiet = await open(headers, first?.id);
    expect(await quiet.next()).toEqual({ id: first?.id, topics: [] });
    quiet.close();
    await insertPost(api.db, userId);
    const resumed = await open(headers, first?.id);
    expect((await resumed.next()).topics).toEqual([ME_TOPIC]);
    resumed.close();
  });

  test('is opened with a cookie and an Accept header only, and only so many times', async () => {
    expect((await api.call(meEvents)).status).toBe(401);
    const id = await insertUser(api.db);
    const headers = await signInMember(api, id);
    expect((await api.call(meEvents, { headers })).error.message).toBe(
      'Send Accept: text/event-stream',
    );
    const readers = await Promise.all(
      Array.from({ length: MAX_STREAMS_PER_PERSON }, () => open(headers)),
    );
    const accept = { ...headers, accept: 'text/event-stream' };
    const refused = await api.call(meEvents, { headers: accept });
    expect(refusal(refused)).toEqual(
      catalogued('too_many_requests', 'This page is open too many times. Close it somewhere else'),
    );
    expect(refused.headers['retry-after']).toBe('30');
    const bystander = await follow();
    for (const reader of [...readers, bystander.reader]) reader.close();
    await expect.poll(() => api.context.memberEvents.size()).toBe(0);
    (await open(headers)).close();
  });

  test('uses up nothing of what the plan allows in an hour', async () => {
    const { headers, reader, schedule } = await follow({ api_rate_limit_per_hour: 1 });
    (await open(headers)).close();
    expect((await schedule()).status).toBe(201);
    expect((await schedule()).status).toBe(429);
    reader.close();
  });
});

test('open streams of members end when the server stops', async () => {
  const api = await startTestApp('embedded');
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const reader = await openMemberEvents(address, await signInMember(api, await insertUser(api.db)));
  await reader.next();
  await Promise.all([api.close(), reader.ended]);
  expect(api.context.memberEvents.size()).toBe(0);
});
