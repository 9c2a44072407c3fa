import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';

/** Every row of every table as text, bytes in hexadecimal: for what must be nowhere, or must not change. */
export async function tableContents(db: Db, except: readonly string[] = []): Promise<string> {
  const { contents } = await db.one<{ contents: string }>(sql`
    select string_agg(
      query_to_xml(format('select t::text as r from %I t order by 1', table_name),
        false, false, '')::text,
      '' order by table_name) as contents
    from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name <> all(${except})`);
  return contents;
}
