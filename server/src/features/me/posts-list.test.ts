import { mePostList } from '@meridian/contract/me/posts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost } from '../../../test/fixtures.ts';
import { sql } from '../../db/sql.ts';
import { inMinutes, startMember } from './testing/member-calls.ts';

describe.each(EITHER)('the list of posts of a person on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.signIn();
  });

  test('are listed by cursor, the latest or the soonest schedule first, by status', async () => {
    const me = await startMember(api);
    for (const minutes of [10, 30, 20]) await me.schedule({ scheduledAt: inMinutes(minutes) });
    await insertPost(api.db, me.userId, { status: 'FAILED' });
    const list = (query: Record<string, string>) =>
      api.call(mePostList, { headers: me.headers, query });
    const first = (await list({ limit: '2', status: 'PENDING' })).answer;
    const cursor = first.cursors?.next ?? '';
    const second = (await list({ limit: '2', status: 'PENDING', cursor })).answer;
    const times = [...first.posts, ...second.posts].map(({ scheduledAt }) => scheduledAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect([times.length, first.total, second.cursors?.next]).toEqual([3, 3, null]);
    expect((await list({})).answer.total).toBe(4);
    const soonest = (await list({ status: 'PENDING', order: 'asc' })).answer.posts;
    expect(soonest.map(({ scheduledAt }) => scheduledAt)).toEqual(times.toReversed());
  });

  /** So many posts, an hour apart; `bytes` of each are a description. */
  async function insertMany(userId: string, count: number, bytes: number) {
    const embed = sql`jsonb_build_object('$type', 'app.bsky.embed.external', 'external',
      jsonb_build_object('uri', 'https://page.test/', 'title', '', 'description', repeat('x', ${bytes}::int)))`;
    await api.db.execute(sql`
      insert into posts (id, user_id, content, scheduled_at, embed)
      select gen_random_uuid(), ${userId}, n::text, now() + make_interval(hours => n), ${embed}
      from generate_series(1, ${count}::int) n`);
  }

  test.each([
    ['a hundred at once', 1_000, [50, 100]],
    ['fewer at once when they are large', 900_000, [20]],
  ])('are listed forwards and backwards, %s', async (_, bytes, lengths) => {
    const me = await startMember(api);
    await insertMany(me.userId, 150, bytes);
    const list = async (cursor?: string | null) => {
      const query = { limit: '100', order: 'asc', ...(cursor && { cursor }) };
      const { answer } = await api.call(mePostList, { headers: me.headers, query });
      expect(lengths.concat(10)).toContain(answer.posts.length);
      expect(answer.total).toBe(150);
      return answer;
    };
    const expected = Array.from({ length: 150 }, (__, index) => String(index + 1));
    const forwards: string[] = [];
    let page = await list();
    for (;;) {
      forwards.push(...page.posts.map(({ content }) => content));
      if (!page.cursors?.next) break;
      page = await list(page.cursors.next);
    }
    expect(forwards).toEqual(expected);
    const backwards = page.posts.map(({ content }) => content);
    while (page.cursors?.previous) {
      page = await list(page.cursors.previous);
      backwards.unshift(...page.posts.map(({ content }) => content));
    }
    expect(backwards).toEqual(expected);
  });
});
