import { Client } from 'pg';

/**
 * The whole catalogue of a database, row by row with the transaction that wrote each: any object
 * made, changed or dropped shows, also one that was put back.
 */
export async function catalogueOf(connectionString: string): Promise<string> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r' and not relisshared
        and has_table_privilege(oid, 'select') order by 1`);
    const parts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string | null }>(
        `select string_agg(t.xmin::text || ' ' || t::text, E'\\n' order by t.ctid) as text
         from pg_catalog.${name} t`,
      );
      parts.push(`${name}\n${rows[0]?.text ?? ''}`);
    }
    return parts.join('\n');
  } finally {
    await client.end();
  }
}
