import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';

export type DatabaseFacts = {
  role: string;
  database: string;
  /** The schema is null when the role may enter none of its search path. */
  schema: string | null;
  serverVersion: string;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  canCreateTables: boolean;
  canCreateInDatabase: boolean;
  trigrams: 'installed' | 'available' | 'unavailable';
  hasJobSchema: boolean;
  migrations: 'absent' | 'own' | 'foreign';
  firstTable: string | null;
  hasOtherTables: boolean;
};

const OLDEST_VERSION = 15;

// The query works on every version, those that are refused included.
const FACTS = `
  with tables as (
    select c.relname, c.relnamespace from pg_class c
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  )
  select
    current_user as "role",
    current_database() as "database",
    current_schema() as "schema",
    current_setting('server_version') as "serverVersion",
    current_setting('server_encoding') as "encoding",
    pg_is_in_recovery() as "isStandby",
    current_setting('transaction_read_only')::boolean as "isReadOnly",
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "canCreateTables",
    has_database_privilege(current_database(), 'create') as "canCreateInDatabase",
    case
      when exists (select from pg_extension where extname = 'pg_trgm') then 'installed'
      when exists (select from pg_available_extensions where name = 'pg_trgm') then 'available'
      else 'unavailable'
    end as "trigrams",
    to_regnamespace('graphile_worker') is not null as "hasJobSchema",
    case (
      select count(*) from pg_attribute
      where attrelid = to_regclass('schema_migrations') and not attisdropped
        and (attname, format_type(atttypid, null)) in (
          ('version', 'integer'), ('name', 'text'), ('checksum', 'text'),
          ('applied_at', 'timestamp with time zone'))
    )
      when 4 then 'own'
      else case when to_regclass('schema_migrations') is null then 'absent' else 'foreign' end
    end as "migrations",
    (
      select min(relname) from tables where relnamespace = current_schema()::regnamespace
    ) as "firstTable",
    exists (
      select from tables join pg_namespace n on n.oid = relnamespace
      where nspname is distinct from current_schema()
        and nspname <> 'information_schema' and nspname !~ '^pg_'
    ) as "hasOtherTables"`;

export async function readDatabaseFacts(client: Client): Promise<DatabaseFacts> {
  const { rows } = await client.query<DatabaseFacts>(FACTS);
  if (rows[0] === undefined) throw new Error('The database does not describe itself');
  return rows[0];
}

export function databaseProblem(facts: DatabaseFacts): string | null {
  if (Number.parseInt(facts.serverVersion, 10) < OLDEST_VERSION) {
    return `it runs PostgreSQL ${facts.serverVersion}; set DATABASE_URL to a server with PostgreSQL ${OLDEST_VERSION} or newer`;
  }
  if (facts.encoding !== 'UTF8') {
    return `the encoding of ${facts.database} is ${facts.encoding}; set DATABASE_URL to a database created with ENCODING 'UTF8' TEMPLATE template0`;
  }
  if (facts.schema === null) return missingRight(facts, grantOnSchema('public', facts));
  if (facts.migrations === 'foreign') return belongsToAnother(facts, 'schema_migrations');
  if (facts.migrations === 'absent' && facts.firstTable !== null) {
    return belongsToAnother(facts, facts.firstTable);
  }
  return null;
}

export function writeProblem(facts: DatabaseFacts): string | null {
  if (facts.isStandby) {
    return 'it is a standby and cannot be written; set DATABASE_URL to the primary server';
  }
  if (facts.isReadOnly) {
    return 'it can only be read (default_transaction_read_only is on); turn that off or set DATABASE_URL to another database';
  }
  return null;
}

export function migrationProblem(facts: DatabaseFacts): string | null {
  if (!facts.canCreateTables) {
    return missingRight(facts, grantOnSchema(facts.schema ?? 'public', facts));
  }
  if (facts.trigrams === 'unavailable') {
    return "its server lacks the extension pg_trgm; install PostgreSQL's contrib modules there";
  }
  // The extension and the schema of the jobs need this right.
  if (!facts.canCreateInDatabase) {
    const database = escapeIdentifier(facts.database);
    const grant = `GRANT CREATE ON DATABASE ${database} TO ${escapeIdentifier(facts.role)};`;
    return missingRight(facts, grant);
  }
  return null;
}

function missingRight({ role }: DatabaseFacts, grant: string): string {
  return `the role ${role} of DATABASE_URL may not create tables; run ${grant} as an administrator of the database`;
}

function grantOnSchema(schema: string, { role }: DatabaseFacts): string {
  const names = { schema: escapeIdentifier(schema), role: escapeIdentifier(role) };
  return `GRANT USAGE, CREATE ON SCHEMA ${names.schema} TO ${names.role};`;
}

function belongsToAnother({ database }: DatabaseFacts, table: string): string {
  return `${database} holds the tables of another program (${table}); set DATABASE_URL to an empty database`;
}
