import { expect, inject, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import { seedDemoData } from '../seed/demo-data.ts';
import { sql } from './sql.ts';

/** pg_restore empties the search path: what a check calls must be found without it. */
test('rows pass the checks of their tables without a search path, as when a backup is restored', async () => {
  const api = await startTestApp('embedded', { isEmpty: true });
  const { name } = await api.db.one<{ name: string }>(sql`select current_database() as name`);
  const connectionString = new URL(`/${name}`, inject('clusters').embedded).href;
  await api.signIn();
  await seedDemoData({
    connection: { connectionString },
    store: api.context.objects,
    now: new Date(),
  });
  await api.db.execute(sql`
    do $$
    declare t text;
    begin
      perform set_config('search_path', '', true);
      for t in select table_name from information_schema.tables
               where table_schema = 'public' and table_type = 'BASE TABLE' loop
        execute format('create table public.restored (like public.%I including constraints including generated)', t);
        execute (select format('insert into public.restored (%1$s) select %1$s from public.%2$I',
                   string_agg(quote_ident(column_name), ', '), t)
                 from information_schema.columns
                 where table_schema = 'public' and table_name = t and is_generated = 'NEVER');
        drop table public.restored;
      end loop;
    end $$`);
  expect(await api.db.many(sql`select from plans limit 1`)).toHaveLength(1);
  await api.close();
});
