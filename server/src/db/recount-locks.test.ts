import { describe, expect, test } from 'vitest';
import { ENGINES, setUpApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { begun, untilWaiting, whileLocked } from '../../test/queue-up.ts';
import { findDifferences, recount } from '../counters/counters.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

describe.each(ENGINES)('recount beside a writer on %s', (engine) => {
  const api = setUpApp(engine);

  test.each<[string, (id: string) => Sql]>([
    ['another handle', (id) => sql`update users set handle = 'renamed.test' where id = ${id}`],
    ['another DID', (id) => sql`update users set did = 'did:plc:renamed' where id = ${id}`],
    ['a deletion', (id) => sql`delete from users where id = ${id}`],
  ])('lets the writer go on to %s, and then counts', async (_, next) => {
    const id = await insertUser(api.db);
    await insertPost(api.db, id);
    let recounting: Promise<void> = Promise.resolve();
    let attempts = 0;
    const written = sql`update users set status = 'BLOCKED' where id = ${id}`;
    await whileLocked(api.db, written, async (writer) => {
      attempts += 1;
      recounting = begun(() => recount(api.db));
      await untilWaiting(api.db, 1);
      await writer.execute(next(id));
    });
    await recounting;
    // A transaction that was the victim of a deadlock would have been retried.
    expect(attempts).toBe(1);
    expect(await findDifferences(api.db, 1)).toEqual([]);
    expect(await api.db.many(sql`select from counter_deltas`)).toEqual([]);
  });
});
