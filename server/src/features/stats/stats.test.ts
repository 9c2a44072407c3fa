import { POST_STATUSES } from '@meridian/contract/posts';
import { statsGet } from '@meridian/contract/overview';
import { USER_STATUSES } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';

describe.each(EITHER)('stats on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
  });

  test('an empty service has every status at zero', async () => {
    expect((await api.call(statsGet, { token })).answer).toEqual({
      users: {
        total: 0,
        activeUsers: 0,
        byStatus: USER_STATUSES.map((status) => ({ status, count: 0 })),
      },
      posts: { total: 0, byStatus: POST_STATUSES.map((status) => ({ status, count: 0 })) },
    });
  });

  // Proves 3.26
  test('counts users and posts by status', async () => {
    const author = await insertUser(api.db);
    // Active by status, whatever the switch says.
    await insertUser(api.db, { is_active: false });
    await insertUser(api.db, { status: 'BLOCKED' });
    await insertPost(api.db, author);
    await insertPost(api.db, author);
    await insertPost(api.db, author, { status: 'FAILED' });
    await insertPost(api.db, author, { status: 'PROCESSING' });

    expect((await api.call(statsGet, { token })).answer).toEqual({
      users: {
        total: 3,
        activeUsers: 2,
        byStatus: [
          { status: 'ACTIVE', count: 2 },
          { status: 'RESTRICTED', count: 0 },
          { status: 'SUSPENDED', count: 0 },
          { status: 'BLOCKED', count: 1 },
        ],
      },
      posts: {
        total: 4,
        byStatus: [
          { status: 'PENDING', count: 2 },
          { status: 'PROCESSING', count: 1 },
          { status: 'COMPLETED', count: 0 },
          { status: 'FAILED', count: 1 },
          { status: 'CANCELLED', count: 0 },
        ],
      },
    });
  });

  test('takes no query', async () => {
    const answer = await api.call(statsGet, { token, query: { status: 'ACTIVE' } });
    expect(refusal(answer)).toEqual(catalogued('invalid_input', 'Unknown field: status'));
  });
});
