import type { Endpoint } from '@meridian/contract/endpoint';
import {
  currencyExport,
  planExport,
  postExport,
  ticketExport,
  userExport,
} from '@meridian/contract/exports';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { insertManyPosts } from '../../../test/many-posts.ts';
import { insertManyTickets } from '../../../test/many-tickets.ts';
import { planBody } from '../../../test/plan-fixtures.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import { postNoun } from '../posts/posts.noun.ts';
import { csvLine } from './exports.ts';

const EXPORTS = [postExport, userExport, ticketExport, planExport, currencyExport];
const POSTS = 2_300;

describe.each(EITHER)('an export on %s', (engine) => {
  const api = setUpApp(engine);
  let admin: SignedIn;
  let userId: string;

  beforeAll(async () => {
    admin = await api.signIn('grace');
    userId = await insertUser(api.db, { handle: 'anna.example', display_name: '=1+1' });
    await insertManyPosts(api.db, [await insertUser(api.db)], POSTS);
    await insertPost(api.db, userId, { content: 'one "line"\nand more, 日本語' });
    const plan = await api.context.plans.create(HOST, planBody({ name: 'studio' }));
    await insertManyTickets(api.db, { planId: plan.id, issuerId: admin.adminId, count: 3 });
  });

  const get = (endpoint: Endpoint, query: Record<string, string>) =>
    api.app.inject({
      url: endpoint.path,
      query,
      headers: { authorization: `Bearer ${admin.token}` },
    });
  const objects = async (endpoint: Endpoint, query: Record<string, string> = {}) => {
    const { body } = await get(endpoint, { format: 'ndjson', ...query });
    return body
      .split('\n')
      .slice(0, -1)
      .map((line): Record<string, unknown> => JSON.parse(line));
  };

  test('is a CSV file for spreadsheets: UTF-8 with its mark, and no cell a formula', async () => {
    const response = await get(postExport, { format: 'csv', userId });
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="meridian-posts-\d{4}-\d\d-\d\d\.csv"$/u,
      ),
      'cache-control': 'no-store',
    });
    const [header, ...rest] = response.body.split('\r\n');
    expect(header).toMatch(/^\uFEFFid,user_id,user_handle,user_did,user_display_name,status,/u);
    expect(rest.join('\r\n')).toContain(`,"'=1+1",PENDING,2026-03-01T09:00:00.000Z,`);
    expect(rest.join('\r\n')).toContain(',"one ""line""\nand more, 日本語",');
  });

  test('holds every row once, in whatever number of batches', async () => {
    const rows = await objects(postExport);
    expect(rows).toHaveLength(POSTS + 1);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(POSTS + 1);
    const times = rows.map(({ scheduled_at }) => String(scheduled_at));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('takes the filters of its list', async () => {
    expect(await objects(postExport, { userFilter: 'anna', status: 'PENDING' })).toHaveLength(1);
    expect(await objects(postExport, { cause: 'too_late' })).toEqual([]);
    expect(await objects(userExport, { search: 'anna' })).toMatchObject([{ id: userId }]);
    expect(await objects(userExport, { status: 'BLOCKED' })).toEqual([]);
    expect(await objects(ticketExport, { search: 'studio', status: 'REVOKED' })).toEqual([]);
  });

  test('offers every list, with the columns of the file in every object', async () => {
    for (const endpoint of EXPORTS) {
      const [row] = await objects(endpoint);
      const { body } = await get(endpoint, { format: 'csv' });
      const [header = ''] = body.replace('\uFEFF', '').split('\r\n');
      expect([endpoint.name, Object.keys(row ?? {})]).toEqual([endpoint.name, header.split(',')]);
    }
  });

  test('has its header without any row', async () => {
    const files = [
      await get(postExport, { format: 'csv', cause: 'too_late' }),
      await get(userExport, { format: 'csv', status: 'BLOCKED' }),
      await get(ticketExport, { format: 'csv', search: 'studio', status: 'REVOKED' }),
    ];
    expect(files.map(({ body }) => body.split(',').slice(0, 2))).toEqual([
      ['\uFEFFid', 'user_id'],
      ['\uFEFFid', 'handle'],
      ['\uFEFFid', 'code'],
    ]);
    for (const { body } of files) expect(body.split('\r\n')).toEqual([expect.any(String), '']);
  });

  test('fails as a whole when it fails half way, and reads no further than it is taken', async () => {
    const pieces: string[] = [];
    const taken = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const push = async (text: string) => {
      pieces.push(text);
      begun.resolve();
      await taken.promise;
    };
    const written = api.context.exports.write(
      { noun: 'posts', format: 'csv', source: postNoun.file({}) },
      { push, signal },
    );
    await begun.promise;
    // One batch, while the client does not take more. Then the connection breaks.
    const isReading = sql`datname = current_database() and state = 'idle in transaction'`;
    const ended = await api.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where ${isReading}`);
    expect([ended, pieces.length]).toEqual([1, 1]);
    taken.resolve();
    await expect(written).rejects.toBeInstanceOf(Error);
  });

  test('needs a format', async () => {
    for (const endpoint of EXPORTS) {
      const response = await get(endpoint, {});
      expect(response.json()).toMatchObject({ message: 'format must be one of csv, ndjson' });
      expect(response.headers).not.toHaveProperty('content-disposition');
    }
  });
});

test.each([
  [['plain', 1, -1, true, null, undefined], 'plain,1,-1,true,,'],
  [['=1+1', '+1', '-1', '@x'], `"'=1+1","'+1","'-1","'@x"`],
  [['\t=1', '\r=1', '\n=1', '＝1'], `"'\t=1","'\r=1","'\n=1","'＝1"`],
  [['a "b"', 'a,b', 'a\nb', "it's"], `"a ""b""","a,b","a\nb","it's"`],
  [[{ usd: 9.5 }, ['en', 'de']], `"{""usd"":9.5}","[""en"",""de""]"`],
  [[' x ', '日本語'], '" x ",日本語'],
])('%j', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});
