import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  DATABASE_OPTIONS,
  databasePlace,
  prepareSchema,
  readDatabaseUrl,
  readTarget,
  runTool,
  say,
  splitArguments,
  withClient,
  withReadOnlyClient,
  withToolDatabase,
} from '../cli/cli.ts';
import { StartError } from '../start-error.ts';

const USAGE = `Copies the whole database into an empty one on a PostgreSQL server (15 or newer). Stop Meridian
first: what changes while this runs may not be in the copy. The database copied from stays as it is.

  npm run copy-database -- --to postgresql://meridian@db.example.com/meridian

  --to URL             the PostgreSQL server and database to copy to, without a password: that comes
                       from PGPASSWORD or a password file (~/.pgpass, PGPASSFILE)
  --to-file FILE       a file that holds this address, with its password if you like; no other user
                       may read it
  --database-url URL   the database to copy from, without a password; default DATABASE_URL or
                       DATABASE_URL_FILE, else the embedded database in DATA_DIR
  --help               this text
`;

const OPTIONS = {
  to: { type: 'string' },
  'to-file': { type: 'string' },
  ...DATABASE_OPTIONS,
} as const;

/** After an error the caller closes the connections, which rolls back. */
async function copyDatabase(source: Client, target: Client): Promise<number> {
  await source.query('begin isolation level repeatable read read only');
  await target.query('begin');
  await requireUnused(target);
  const tables = await tablesInOrder(target);
  const turnOn = await turnTriggersOff(target, tables);
  // The migrations inserted a few rows, which the source has too.
  for (const table of tables.toReversed()) await target.query(`delete from ${table}`);
  let total = 0;
  for (const table of tables) {
    const columns = await columnsOf(target, table);
    const writing = target.query(copyFrom(`copy ${table} (${columns}) from stdin`));
    await pipeline(source.query(copyTo(`copy ${table} (${columns}) to stdout`)), writing);
    total += writing.rowCount;
    if (writing.rowCount > 0) say(`${table}: ${writing.rowCount}`);
  }
  await turnOn();
  await target.query('commit');
  await source.query('commit');
  await target.query('vacuum (analyze)');
  return total;
}

async function requireUnused(client: Client): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>(
    `select exists (select from admins) or exists (select from users)
         or exists (select from plans) as used`,
  );
  if (rows[0]?.used !== false) {
    throw new StartError('The database to copy to is in use already; give a new, empty one.');
  }
}

/** A table comes after those it refers to. The migrations, which ran on both sides, wrote their own. */
async function tablesInOrder(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; refers_to: string[] }>(
    `select quote_ident(t.relname) as name,
            array(select distinct quote_ident(r.relname) from pg_constraint c
                  join pg_class r on r.oid = c.confrelid
                  where c.conrelid = t.oid and c.contype = 'f' and r.oid <> t.oid) as refers_to
     from pg_class t
     where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r'
       and t.relname <> 'schema_migrations'
     order by t.relname`,
  );
  const ordered: string[] = [];
  let left = rows;
  while (left.length > 0) {
    const next = left.filter((row) => row.refers_to.every((name) => ordered.includes(name)));
    if (next.length === 0) throw new Error('Tables refer to each other in a circle');
    ordered.push(...next.map(({ name }) => name));
    left = left.filter((row) => !next.includes(row));
  }
  return ordered;
}

const ENABLED = { O: 'enable', A: 'enable always', R: 'enable replica' } as const;

/** The rows are copied with the effects of their triggers, so these must not run again. */
async function turnTriggersOff(client: Client, tables: readonly string[]) {
  const { rows } = await client.query<{ name: string; at: string; mode: keyof typeof ENABLED }>(
    `select quote_ident(tgname) as name, quote_ident(relname) as at, tgenabled as mode
     from pg_trigger join pg_class t on t.oid = tgrelid
     where not tgisinternal and tgenabled <> 'D'
       and t.relnamespace = current_schema()::regnamespace and quote_ident(relname) = any($1)`,
    [tables],
  );
  for (const { name, at } of rows) await client.query(`alter table ${at} disable trigger ${name}`);
  return async () => {
    for (const { name, at, mode } of rows) {
      await client.query(`alter table ${at} ${ENABLED[mode]} trigger ${name}`);
    }
  };
}

/** Generated columns are left out, as they are computed again. */
async function columnsOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.columns ?? '';
}

await runTool({ name: 'copy-database', untouched: 'Nothing was copied.' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS }, USAGE);
  const from = readDatabaseUrl(values['database-url']);
  const target = { connectionString: readTarget(values) };
  await withToolDatabase(databasePlace(from), (connection) =>
    withReadOnlyClient(connection, async (source) => {
      await prepareSchema(target, 'Give a new, empty database to copy to.');
      const total = await withClient(target, (client) => copyDatabase(source, client));
      say(`Everything is copied: ${total} rows.`);
    }),
  );
});
