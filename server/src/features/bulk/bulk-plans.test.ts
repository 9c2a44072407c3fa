import { beforeAll, describe, expect, test } from 'vitest';
import { BULK_MAX_ROWS } from '@meridian/contract/bulk';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { countingReads } from '../../../test/counting-reads.ts';
import { openDatabase } from '../../db/database.ts';
import { BY_INDEX_SETTINGS, sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';
import { insertSet, nextRows, saveResults } from './bulk.store.ts';

const ROWS = 3_000;
const BATCH = 100;

describe.each(EITHER)('a batch on %s', (engine) => {
  const api = setUpApp(engine);
  let changeId: string;
  beforeAll(async () => {
    const { adminId } = await api.signIn();
    ({ id: changeId } = await api.db.one<{ id: string }>(sql`
      insert into bulk_changes (id, action, selection, digest, total, admin_id, made_by, state)
      values (gen_random_uuid(), 'postCancel', '{}', '', ${ROWS}, ${adminId}, 'admin', 'RUNNING')
      returning id`));
    await api.db.execute(sql`
      insert into bulk_change_rows (change_id, row_id)
      select ${changeId}::uuid, gen_random_uuid() from generate_series(1, ${ROWS}::integer)`);
  });

  test('reads its own rows only, also before their table has statistics', async () => {
    const { connection } = api.context;
    const options = { maxConnections: 1, settings: BY_INDEX_SETTINGS, onError: () => {} };
    const jobs = openDatabase(connection, options);
    const { db, read } = countingReads(jobs, 'bulk_change_rows');
    const ids = await nextRows(db, changeId, BATCH);
    const done = { result: 'done', message: null, was: '{}' } as const;
    await saveResults(
      db,
      changeId,
      ids.map((id) => ({ id, ...done })),
      ids.at(-1) ?? null,
    );
    await jobs.close();
    expect(ids).toHaveLength(BATCH);
    // By the first statement, and by the second to be found and to be changed.
    expect(read()).toBeLessThanOrEqual(3 * BATCH);
  });

  test('more rows than a change may have are refused before one is written', async () => {
    const { adminId } = await api.signIn();
    const by = { adminId, username: 'admin', requestId: null, network: null };
    const change = { id: uuidV7(), action: 'postDelete', value: null, selection: {} } as const;
    const written = await api.db.transaction(async (tx) => {
      const many = sql`
        select gen_random_uuid() as id from generate_series(1, ${sql.whole(BULK_MAX_ROWS + 1)})`;
      expect(await insertSet(tx, change, by, many)).toBeNull();
      return tx.many(sql`select from bulk_change_rows where change_id = ${change.id} limit 1`);
    });
    expect(written).toEqual([]);
  });
});
