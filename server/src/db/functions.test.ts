import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';

test('no function is shared, and each looks for names in its own schema before a temporary one', async () => {
  const database = await createTestDatabase('server');
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  const { rows } = await client.query(`
    select oid::regprocedure::text as name from pg_proc p
    where pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and deptype = 'e')
      and (has_function_privilege('public', oid, 'execute')
        -- A body of standard SQL was bound to its names when it was made.
        or prosqlbody is null and not coalesce(proconfig::text ~ 'search_path=[^"]*, pg_temp"', false))`);
  await client.end();
  await database.drop();
  expect(rows).toEqual([]);
});
