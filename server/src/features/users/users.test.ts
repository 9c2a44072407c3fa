import {
  USER_STATUSES,
  userGet,
  userList,
  userRestrict,
  userUpdate,
} from '@meridian/contract/users';
import type { User } from '@meridian/contract/users';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { applyDeltas } from '../../counters/counters.ts';
import { uuidV7 } from '../../db/columns.ts';
import { sql } from '../../db/sql.ts';
import { indexedPart, listUsers } from './users.store.ts';

const NOT_FOUND = { status: 404, code: 'user_not_found', message: 'User not found' };
const LONG_AGO = '2026-01-01T00:00:00.000Z';

describe.each(EITHER)('a user on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let id: string;
  let neighbour: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
  });
  beforeEach(async () => {
    id = await insertUser(api.db, { created_at: LONG_AGO });
    neighbour = await insertUser(api.db, { created_at: LONG_AGO });
  });

  const get = async (id: string) =>
    (await api.call(userGet, { token, params: { id } })).answer.user;
  const update = (id: string, body: object) =>
    api.call(userUpdate, { token, params: { id }, body });
  const restrict = (id: string, body: object) =>
    api.call(userRestrict, { token, params: { id }, body });

  /** Runs a change and checks that it touched the wanted fields of the wanted user, and nothing else. */
  async function expectOnly(change: object, run: () => Promise<unknown>): Promise<void> {
    const before = await get(id);
    const besides = await get(neighbour);
    await run();
    const after = await get(id);
    expect(after).toEqual({
      ...before,
      ...change,
      version: before.version + 1,
      updated_at: after.updated_at,
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(await get(neighbour)).toEqual(besides);
  }

  describe('get', () => {
    // Proves 3.2
    test('answers every field', async () => {
      const full = {
        did: 'did:web:full.example',
        handle: 'full.example',
        display_name: 'Full “Name” 🌍',
        avatar: 'https://cdn.example/avatar.jpg',
        status: 'SUSPENDED',
        is_active: false,
        has_access_keyword_access: true,
        upgrade_prohibited: true,
        created_at: '2026-02-03T04:05:06.789Z',
      } as const;
      const id = await insertUser(api.db, full);
      expect(await get(id)).toEqual({ id, ...full, version: 1, updated_at: full.created_at });
      expect(await get(id.toUpperCase())).toMatchObject({ id });
    });

    test.each([uuidV7(), 'not-an-id', '1', `${uuidV7()}0`, "' or 1=1 --"])(
      'does not know %s',
      async (id) => {
        expect(refusal(await api.call(userGet, { token, params: { id } }))).toEqual(NOT_FOUND);
      },
    );
  });

  describe('update', () => {
    // Proves 4.23
    test('sets any status from any other', async () => {
      for (const from of USER_STATUSES) {
        for (const status of USER_STATUSES) {
          const id = await insertUser(api.db, { status: from });
          expect((await update(id, { status })).answer.user).toMatchObject({ id, status });
        }
      }
    });

    test('changes the status alone', () =>
      expectOnly({ status: 'BLOCKED' }, async () => {
        expect((await update(id, { status: 'BLOCKED' })).answer.user).toMatchObject({
          id,
          status: 'BLOCKED',
          is_active: true,
        });
      }));

    // Proves 4.25
    test('deactivates and activates, apart from the status', async () => {
      await expectOnly({ is_active: false }, async () => {
        const { user } = (await update(id, { is_active: false })).answer;
        expect(user).toMatchObject({ id, is_active: false, status: 'ACTIVE' });
      });
      expect((await update(id, { is_active: true })).answer.user.is_active).toBe(true);
    });

    test('setting what is already set succeeds', async () => {
      expect((await update(id, { status: 'ACTIVE' })).answer.user.status).toBe('ACTIVE');
      expect((await update(id, { is_active: true })).answer.user.is_active).toBe(true);
    });

    test.each([
      [{}, 'Send either status or is_active'],
      [{ status: 'ACTIVE', is_active: true }, 'Send either status or is_active'],
      [{ status: 'DELETED' }, 'status must be one of ACTIVE, RESTRICTED, SUSPENDED, BLOCKED'],
      [{ status: null }, 'status must be one of ACTIVE, RESTRICTED, SUSPENDED, BLOCKED'],
      [{ is_active: 'false' }, 'is_active must be true or false'],
      [{ status: 'BLOCKED', handle: 'other.test' }, 'Unknown field: handle'],
    ])('refuses %j', async (body, message) => {
      const before = await get(id);
      expect(refusal(await update(id, body))).toEqual(catalogued('invalid_input', message));
      expect(await get(id)).toEqual(before);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await update(id, { status: 'ACTIVE' }))).toEqual(NOT_FOUND);
      expect(refusal(await update(id, { is_active: true }))).toEqual(NOT_FOUND);
    });
  });

  describe('restrict', () => {
    // Proves 4.26
    test('prohibits and enables upgrades and answers what holds now', async () => {
      await expectOnly({ upgrade_prohibited: true }, async () => {
        const { answer } = await restrict(id, { upgradeProhibited: true });
        expect(answer).toEqual({ upgradeProhibited: true });
      });
      const again = await restrict(id, { upgradeProhibited: true });
      expect(again.answer).toEqual({ upgradeProhibited: true });
      const enabled = await restrict(id, { upgradeProhibited: false });
      expect(enabled.answer).toEqual({ upgradeProhibited: false });
      expect((await get(id)).upgrade_prohibited).toBe(false);
    });

    test.each([
      [{}, 'upgradeProhibited must be true or false'],
      [{ upgradeProhibited: 'true' }, 'upgradeProhibited must be true or false'],
      [{ upgradeProhibited: true, status: 'BLOCKED' }, 'Unknown field: status'],
    ])('refuses %j', async (body, message) => {
      const before = await get(id);
      expect(refusal(await restrict(id, body))).toEqual(catalogued('invalid_input', message));
      expect(await get(id)).toEqual(before);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await restrict(id, { upgradeProhibited: true }))).toEqual(NOT_FOUND);
    });
  });
});

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

const PEOPLE = [
  { handle: 'ana.bsky.social', did: 'did:plc:aaaabbbb', display_name: 'Ana Okafor' },
  { handle: 'bob.example.com', did: 'did:web:bob.example.com', display_name: '100% Bob_by' },
  { handle: 'carl.test', did: 'did:plc:ccccdddd', display_name: null, status: 'BLOCKED' },
  { handle: 'dora.test', did: 'did:plc:eeeeffff', display_name: 'ÄNNE \\ Dora' },
] as const;

describe.each(EITHER)('the search for users on %s', (engine) => {
  const test = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await test.signIn());
    for (const [index, person] of PEOPLE.entries()) {
      await insertUser(test.db, { ...person, created_at: `2026-01-0${9 - index}T00:00:00.000Z` });
    }
  });

  const found = async (query: Record<string, string>) => {
    const { users, total } = (await test.call(userList, { token, query })).answer;
    return { names: users.map(({ handle }) => handle.split('.')[0]), total };
  };

  it.each([
    ['BSKY', ['ana']],
    ['@ana.b', ['ana']],
    ['did:plc', ['ana', 'carl', 'dora']],
    ['okaf', ['ana']],
    ['änne', ['dora']],
    ['0% b', ['bob']],
    ['b_b', ['bob']],
    ['\\', ['dora']],
    ['%', ['bob']],
    ['  ', ['ana', 'bob', 'carl', 'dora']],
    ['nothing like it', []],
  ])('finds %j as part of a handle, a DID or a display name', async (search, names) => {
    expect(await found({ search })).toEqual({ names, total: names.length });
  });

  it('keeps the status filter, pages and the total', async () => {
    expect(await found({ search: 'did:plc', status: 'BLOCKED' })).toEqual({
      names: ['carl'],
      total: 1,
    });
    const pages = [];
    for (const offset of ['0', '2']) {
      pages.push(await found({ search: 'did:plc', limit: '2', offset }));
    }
    expect(pages).toEqual([
      { names: ['ana', 'carl'], total: 3 },
      { names: ['dora'], total: 3 },
    ]);
    const { error } = await test.call(userList, { token, query: { search: 'x'.repeat(257) } });
    expect(error.issues?.[0]?.path).toBe('search');
  });

  it('asks the indexes of both texts', async () => {
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      const plan = await tx.many<{ 'QUERY PLAN': string }>(sql`
        explain select id from users
        where search_text like '%okaf%' or lower(display_name) like '%okaf%'`);
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(text).toContain('users_search');
      expect(text).toContain('users_display_name_part');
    });
  });
});

describe.each(EITHER)('a deep page of users on %s', (engine) => {
  const USERS = 8_000;
  const api = setUpApp(engine);

  beforeAll(async () => {
    await api.db.execute(sql`
      insert into users (id, did, handle, status, created_at)
      select md5(number::text)::uuid, 'did:plc:' || number, number || '.test',
             (${USER_STATUSES}::text[])[1 + (number * number) % ${USER_STATUSES.length}::int],
             timestamptz '2026-01-01Z' + interval '31 minutes' * ((number * 7919) % ${USERS}::int / 3)
      from generate_series(1, ${USERS}::int) as number`);
    await applyDeltas(api.db);
    await api.db.execute(sql`update users set status = 'BLOCKED' where handle like '7%'`);
  });

  test.each([undefined, ...USER_STATUSES])('%s is the one found by counting', async (status) => {
    const where = status === undefined ? sql.empty : sql`where status = ${status}`;
    const plainly = await api.db.many<{ id: string }>(
      sql`select id from users ${where} order by created_at desc, id desc`,
    );
    const ids = plainly.map(({ id }) => id);
    for (const offset of [0, 20, 1000, 1001, 1500, 5_555, 7_990, USERS]) {
      const page = await listUsers(api.db, { status, limit: 20, offset });
      expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 20));
      expect(page.total).toBe(ids.length);
    }
  });
});

test.each([
  ['someone.bsky.social', 'someone.'],
  ['someone.', 'someone.'],
  ['someone', 'someone'],
  ['did:plc:abcdefghijkl', ':abcdefghijkl'],
  ['did:web:someone.example', ':someone.'],
  ['did:plc:', 'did:plc:'],
  ['did:plc:ab', 'did:plc:ab'],
  ['.bsky.social', '.bsky.social'],
  ['al.bsky.social', 'al.bsky.social'],
  ['zoë.example', 'zoë.example'],
  ['x', 'x'],
  ['', ''],
])('of "%s" the index is asked for "%s"', (text, part) => {
  expect(indexedPart(text)).toBe(part);
  expect(text).toContain(part);
});
