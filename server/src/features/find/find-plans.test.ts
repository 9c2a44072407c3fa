import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EITHER, startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import * as store from './find.store.ts';

const USERS = 4_000;
const LABEL = 'quxwyz';

type Blocks = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

describe.each(EITHER)('finding a handle on %s', (engine) => {
  let api: TestApp;
  beforeAll(async () => {
    api = await startTestApp(engine);
    await api.db.execute(sql`
      insert into users (id, did, handle)
      select gen_random_uuid(), 'did:plc:' || md5(n::text), case n when 1 then ${LABEL}::text
        else substr(md5(n::text), 1, 9) end || '.somewhere.example'
      from generate_series(1, ${USERS}::integer) as n`);
    await api.db.execute(sql`vacuum (analyze) users`);
  });
  afterAll(() => api.close());

  /** Pages that the statements of a store read. */
  async function pagesOf(ask: (db: Db) => Promise<unknown>): Promise<number> {
    let pages = 0;
    await api.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      const many = async (query: Sql) => {
        type Explained = { 'QUERY PLAN': [{ Plan: Blocks }] };
        const row = await tx.one<Explained>(sql`explain (analyze, buffers, format json) ${query}`);
        const plan = row['QUERY PLAN'][0].Plan;
        pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        return [];
      };
      await ask({ ...tx, many });
    });
    return pages;
  }

  test('asks the index for what tells people apart, not for the ending of all of them', async () => {
    const whole = `${LABEL}.somewhere.example`;
    expect((await store.findUsers(api.db, whole)).map(({ detail }) => detail)).toEqual([
      `@${whole}`,
    ]);
    const ofLabel = await pagesOf((db) => store.findPeople(db, LABEL));
    expect(await pagesOf((db) => store.findUsers(db, whole))).toBeLessThan(1.5 * ofLabel);
    // The index of display names is asked for all of it.
    expect(await pagesOf((db) => store.findPeople(db, whole))).toBeLessThan(2.5 * ofLabel);
  });
});
