import { USER_STATUSES, userList } from '@meridian/contract/users';
import type { User } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';

const USERS = 43;
// Few instants for many users, so that most of the order is decided by the ids.
const INSTANTS = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];

describe.each(EITHER)('the list of users on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let atFirst: unknown;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    atFirst = (await api.call(userList, { token })).answer;
    for (let index = 0; index < USERS; index += 1) {
      await insertUser(api.db, {
        status: USER_STATUSES[index % 4] ?? 'ACTIVE',
        created_at: INSTANTS[index % INSTANTS.length] ?? '',
      });
    }
  });

  const list = async (query: Record<string, string>) =>
    (await api.call(userList, { token, query })).answer;

  /** Page after page until one comes back empty. */
  async function walk(limit: number, query: Record<string, string> = {}): Promise<User[]> {
    const all: User[] = [];
    for (;;) {
      const paging = { limit: String(limit), offset: String(all.length) };
      const { users } = await list({ ...query, ...paging });
      if (users.length === 0) return all;
      all.push(...users);
    }
  }

  test('is empty at first', () => {
    expect(atFirst).toMatchObject({ users: [], total: 0 });
  });

  test('is newest first, ties by id the same way', async () => {
    const { users, total } = await list({ limit: '100' });
    expect(total).toBe(USERS);
    const keys = users.map((user) => `${user.created_at} ${user.id}`);
    expect(keys).toEqual(keys.toSorted().toReversed());
    expect(new Set(keys).size).toBe(USERS);
  });

  test('gives every user once when walked in pages', async () => {
    const { users } = await list({ limit: '100' });
    expect(await walk(7)).toEqual(users);
  });

  test('has pages of 20 and a total of everything', async () => {
    const first = await list({});
    expect(first.users).toHaveLength(20);
    expect(first.total).toBe(USERS);
    const last = await list({ offset: '40' });
    expect(last.users).toHaveLength(3);
    expect(last.total).toBe(USERS);
  });

  test('is empty but counted past the end', async () => {
    expect(await list({ offset: '1000' })).toMatchObject({ users: [], total: USERS });
  });

  test.each(USER_STATUSES)('shows only %s users when asked to', async (status) => {
    const { users } = await list({ limit: '100' });
    const expected = users.filter((user) => user.status === status);
    expect(expected.length).toBeGreaterThan(0);
    expect((await list({ status })).total).toBe(expected.length);
    expect(await walk(4, { status })).toEqual(expected);
  });

  test('carries exactly the fields of a user', async () => {
    const { users } = await list({ limit: '1', status: 'BLOCKED' });
    expect(users[0]).toEqual({
      id: expect.any(String),
      did: expect.stringMatching(/^did:plc:/),
      handle: expect.stringMatching(/\.test$/),
      display_name: null,
      avatar: null,
      status: 'BLOCKED',
      is_active: true,
      has_access_keyword_access: false,
      upgrade_prohibited: false,
      created_at: INSTANTS[1],
      version: 1,
      updated_at: INSTANTS[1],
    });
  });

  test.each([
    [{ limit: '0' }, 'limit must be a whole number from 1 to 100'],
    [{ limit: '101' }, 'limit must be a whole number from 1 to 100'],
    [{ limit: '1.5' }, 'limit must be a whole number from 1 to 100'],
    [{ offset: '-1' }, 'offset must be a whole number from 0 to 1000000000'],
    [{ offset: '99999999999' }, 'offset must be a whole number from 0 to 1000000000'],
    [{ status: 'active' }, 'status must be one of ACTIVE, RESTRICTED, SUSPENDED, BLOCKED'],
    [{ sort: 'handle' }, 'Unknown field: sort'],
  ])('refuses %j', async (query, message) => {
    const answer = await api.call(userList, { token, query });
    expect(refusal(answer)).toEqual(catalogued('invalid_input', message));
  });
});
