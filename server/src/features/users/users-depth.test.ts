import { USER_STATUSES } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { applyDeltas } from '../../counters/counters.ts';
import { sql } from '../../db/sql.ts';
import { listUsers } from './users.store.ts';

const USERS = 8_000;

describe.each(EITHER)('a deep page of users on %s', (engine) => {
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
