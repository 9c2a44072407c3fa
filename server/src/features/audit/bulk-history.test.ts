import { auditList, auditReverse } from '@meridian/contract/audit';
import { userUpdate } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { bulkCalls } from '../../../test/bulk-calls.ts';
import { grantPlan, insertPost, insertUser } from '../../../test/fixtures.ts';

describe.each(EITHER)('changes of many rows in the history of one, on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  beforeAll(async () => {
    admin = await api.signIn('ana');
  });

  const list = async (entity: string, entityId: string) =>
    (await api.call(auditList, { token: admin.token, query: { entity, entityId } })).answer.entries;
  /** What each entry about it did, the latest first. */
  const history = async (entity: string, id: string) =>
    (await list(entity, id)).map(({ action, after }) => after?.['action'] ?? action);
  const change = (
    action: 'userStatus' | 'assignmentRevoke' | 'postCancel',
    ids: string[],
    value?: string,
  ) => bulkCalls(api, admin).change({ action, selection: { ids }, ...(value && { value }) });

  test('stand there once for every row that they changed, and for no other', async () => {
    const [changed, unchanged] = [await insertUser(api.db), await insertUser(api.db)];
    const [cancelled, completed] = [
      await insertPost(api.db, changed),
      await insertPost(api.db, changed, { status: 'COMPLETED' }),
    ];
    const { assignmentId } = await grantPlan(api.db, changed);
    await change('userStatus', [unchanged], 'BLOCKED');
    await change('userStatus', [changed, unchanged], 'BLOCKED');
    await change('assignmentRevoke', [assignmentId]);
    await change('postCancel', [cancelled, completed]);

    expect(await history('user', changed)).toEqual(['assignmentRevoke', 'userStatus']);
    expect(await history('user', unchanged)).toEqual(['userStatus']);
    expect(await history('post', cancelled)).toEqual(['postCancel']);
    expect(await history('post', completed)).toEqual([]);
  });

  test('are named by the refusal to reverse what they have changed since', async () => {
    const params = { id: await insertUser(api.db) };
    const body = { status: 'SUSPENDED' };
    await api.call(userUpdate, { token: admin.token, params, body });
    const [entry] = await list('user', params.id);
    await change('userStatus', [params.id], 'RESTRICTED');
    const reversed = { token: admin.token, params: { id: entry?.id ?? '' } };
    const { status, error } = await api.call(auditReverse, reversed);
    expect([status, error?.message]).toEqual([
      409,
      'A change of many rows or the service itself has changed this since, so it was not reversed',
    ]);
  });
});
