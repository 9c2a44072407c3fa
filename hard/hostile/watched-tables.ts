import type { Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';

/** What people keep here, each before what it refers to. Sessions, attempts and the record are no part. */
export const KEPT = [
  { name: 'plan_assignments', table: sql`plan_assignments` },
  { name: 'tickets', table: sql`tickets` },
  { name: 'plan_prices', table: sql`plan_prices` },
  { name: 'plans', table: sql`plans` },
  { name: 'currencies', table: sql`currencies` },
  { name: 'accounts', table: sql`accounts` },
  { name: 'posts', table: sql`posts` },
  { name: 'users', table: sql`users` },
  { name: 'service_settings', table: sql`service_settings` },
  { name: 'idempotency_keys', table: sql`idempotency_keys` },
  { name: 'bulk_changes', table: sql`bulk_changes` },
  { name: 'handover', table: sql`handover` },
  { name: 'access_keywords', table: sql`access_keywords` },
  { name: 'api_tokens', table: sql`api_tokens` },
  { name: 'admins', table: sql`admins` },
] as const;

/**
 * From now on the database itself notes which table a row was changed in, if the change stays. Asking
 * for that after every request takes a fraction of comparing the tables.
 */
export async function watchTables(db: Db): Promise<void> {
  await db.execute(sql`create table touched (name text not null)`);
  // As text, because the kept answers are of a type that knows no equality.
  await db.execute(sql`
    create function note_touched() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'UPDATE' or old::text is distinct from new::text then
        insert into touched values (tg_table_name);
      end if;
      return null;
    end $$`);
  for (const { table } of KEPT) {
    await db.execute(sql`
      create trigger note_touched after insert or update or delete on ${table}
      for each row execute function note_touched()`);
  }
}

/** The tables that were changed since this was last asked. */
export async function touchedTables(db: Db): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`delete from touched returning name`);
  return [...new Set(rows.map(({ name }) => name))].toSorted();
}
