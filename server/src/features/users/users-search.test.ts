import { userList } from '@meridian/contract/users';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { sql } from '../../db/sql.ts';

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
