import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';

/** Null when there is no such role. */
export async function findRole(client: Client, role: string): Promise<{ isOwner: boolean } | null> {
  const { rows } = await client.query<{ isOwner: boolean }>(
    `select exists (select from pg_proc p where p.pronamespace = 'meridian_api'::regnamespace
                    and p.proowner = r.oid) as "isOwner"
     from pg_roles r where r.rolname = $1`,
    [role],
  );
  return rows[0] ?? null;
}

/** What a worker needs: it acts on posts that it has claimed, and for no person of its choice. */
const PUBLISHING = [
  'version',
  'service_state',
  'claim_posts',
  'journal_post',
  'finish_post',
  'fail_post',
  'put_off_post',
  'hold_post',
  'release_posts',
];

/** Grants all functions, or those of a worker alone; returns how many. */
export async function grantApi(client: Client, role: string, isWorker: boolean): Promise<number> {
  const name = escapeIdentifier(role);
  const { rows } = await client.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = 'meridian_api'::regnamespace and ($1::text[] is null or proname = any($1))`,
    [isWorker ? PUBLISHING : null],
  );
  await client.query('begin');
  // It may have had more.
  await client.query(`revoke execute on all functions in schema meridian_api from ${name}`);
  await client.query(`grant usage on schema meridian_api to ${name}`);
  for (const { signature } of rows) {
    await client.query(`grant execute on function ${signature} to ${name}`);
  }
  await client.query('commit');
  return rows.length;
}

export async function revokeApi(client: Client, role: string): Promise<void> {
  const name = escapeIdentifier(role);
  await client.query('begin');
  await client.query(`revoke execute on all functions in schema meridian_api from ${name}`);
  await client.query(`revoke usage on schema meridian_api from ${name}`);
  await client.query('commit');
}

/** What else of this database the role may do, by itself or as a role that it may become; one line each. */
export async function otherRights(client: Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `with roles as (select * from pg_roles where pg_has_role($1, oid, 'member'))
     select 'it is a superuser' as line from roles where rolsuper
     union
     select 'it may create roles' from roles where rolcreaterole
     union
     select 'it may read the whole database as a replica' from roles where rolreplication
     union
     select 'it is a member of ' || rolname from roles
       where rolname <> $1 and (rolname like 'pg\\_%'
         or oid in (select relowner from pg_class where relnamespace = current_schema()::regnamespace))
     union
     select 'it may create schemas' from roles where has_database_privilege(oid, current_database(), 'create')
     union
     select 'it may create tables in the schema ' || current_schema()
       from roles where has_schema_privilege(oid, current_schema(), 'create')
     union
     select format('it may %s the table %s', rights.word, c.relname)
       from roles, pg_class c, (values ('select'), ('insert'), ('update'), ('delete'), ('truncate'), ('trigger'))
         as rights (word)
       where c.relkind in ('r', 'v') and c.relnamespace = current_schema()::regnamespace
         and (has_table_privilege(roles.oid, c.oid, rights.word)
           or rights.word in ('select', 'insert', 'update') and has_any_column_privilege(roles.oid, c.oid, rights.word))
     order by line limit 20`,
    [role],
  );
  return rows.map(({ line }) => line);
}
