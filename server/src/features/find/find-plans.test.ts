import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { ANALYZED, pagesOf, plansOf } from '../../../test/explain.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import * as store from './find.ts';

const USERS = 4_000;
const LABEL = 'quxwyz';

describe.each(EITHER)('finding a handle on %s', (engine) => {
  const api = setUpApp(engine);
  beforeAll(async () => {
    await api.db.execute(sql`
      insert into users (id, did, handle)
      select gen_random_uuid(), 'did:plc:' || md5(n::text), case n when 1 then ${LABEL}::text
        else substr(md5(n::text), 1, 9) end || '.somewhere.example'
      from generate_series(1, ${USERS}::integer) as n`);
    await api.db.execute(sql`vacuum (analyze) users`);
  });

  /** Pages that the statements of a store read. */
  const pagesReadBy = (ask: (db: Db) => Promise<unknown>) =>
    api.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      const plans = await plansOf(tx, ask, ANALYZED);
      return plans.reduce((sum, plan) => sum + pagesOf(plan), 0);
    });

  test('asks the index for what tells people apart, not for the ending of all of them', async () => {
    const whole = `${LABEL}.somewhere.example`;
    expect((await store.findUsers(api.db, whole)).map(({ detail }) => detail)).toEqual([
      `@${whole}`,
    ]);
    const ofLabel = await pagesReadBy((db) => store.findPeople(db, LABEL));
    expect(await pagesReadBy((db) => store.findUsers(db, whole))).toBeLessThan(1.5 * ofLabel);
    // The index of display names is asked for all of it.
    expect(await pagesReadBy((db) => store.findPeople(db, whole))).toBeLessThan(2.5 * ofLabel);
  });
});
