import { userUpdate } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { insertUser } from '../../test/fixtures.ts';
import { sql } from '../db/sql.ts';

describe.each(EITHER)('a change that the database refuses on %s', (engine) => {
  const t = setUpApp(engine);
  let token: string;
  beforeAll(async () => {
    ({ token } = await t.signIn());
    await t.db.execute(sql`
      create function fail_by_name() returns trigger language plpgsql as $$
      begin
        raise exception 'refused' using errcode = old.display_name;
      end $$`);
    await t.db.execute(sql`
      create trigger fails before update on users for each row execute function fail_by_name()`);
  });

  test.each([
    ['53100', 'disk_full', 503],
    ['58030', 'io_error', 503],
    ['42501', 'insufficient_privilege', 503],
    ['58P01', 'undefined_file', 500],
  ])('with SQLSTATE %s (%s) has the status %i', async (code, _, status) => {
    const id = await insertUser(t.db, { display_name: code });
    const body = { status: 'BLOCKED' } as const;
    const response = await t.call(userUpdate, { token, params: { id }, body });
    expect(response.status).toBe(status);
    expect(response.headers['retry-after']).toBe(status === 503 ? '2' : undefined);
  });
});
