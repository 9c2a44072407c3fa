import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantApi } from '../../src/api-role/api-role.ts';
import { createTestDatabase } from '../cluster/test-database.ts';

/** Of our columns: the table, the name, the type, and the name of a domain over it that runs `tell`. */
const COLUMNS = `columns as (
  select c.relname, a.attname, a.attnum, t.typname, format_type(t.oid, null) as type, 'told_' || t.typname as told
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attnum > 0)`;

const FUNCTIONS = `functions as (
  select p.*, nspname from pg_proc p join pg_namespace n on n.oid = pronamespace
  where pronamespace in (current_schema()::regnamespace, 'meridian_api'::regnamespace)
    and not exists (select from pg_depend d where d.objid = p.oid and deptype = 'e'))`;

/** Queries for the statements that put something in the place of ours, as whoever may make temporary objects. */
const SNARES: Record<string, string> = {
  table: `select format('create table pg_temp.%I (%s)', relname, string_agg(format('%I pg_temp.%I', attname, told), ',' order by attnum))
    from columns group by relname`,
  view: `select format('create view pg_temp.%I as select %s', relname,
      string_agg(format('null::pg_temp.%I as %I', told, attname), ',' order by attnum))
    from columns group by relname`,
  type: `select distinct format('create domain pg_temp.%I as pg_catalog.%1$I check (pg_temp.tell())', typname) from columns
    where to_regtype('pg_catalog.' || typname) is not null`,
  function: `select distinct format('create function pg_temp.%I(%s) returns boolean language sql as $$ select pg_temp.tell() $$',
      proname, oidvectortypes(proargtypes))
    from pg_proc p where proname in ('now', 'lower', 'length', 'left', 'jsonb_typeof')
      or pronamespace = current_schema()::regnamespace and probin is null and prorettype <> 'trigger'::regtype`,
  operator: `select format('create function pg_temp.same(%1$s, %1$s) returns boolean language sql as $$ select pg_temp.tell() $$;
      create operator pg_temp.= (function = pg_temp.same, leftarg = %1$s, rightarg = %1$s)', type)
    from unnest('{text,uuid,integer,boolean,jsonb}'::text[]) as type`,
};
const PATHS = ['public', 'pg_temp, pg_catalog, public'];

/** The embedded cluster alone lets a test make roles. Its owner is a superuser. */
describe('the owner, whose rights the functions of meridian_api have', () => {
  const role = `intruder_${randomBytes(4).toString('hex')}`;
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: Client;
  beforeAll(async () => {
    database = await createTestDatabase('embedded');
    owner = new Client({ connectionString: database.connectionString });
    await owner.connect();
    await owner.query(`create role ${role} login`);
    await grantApi(owner, role, false);
  });
  afterAll(async () => {
    await owner.query(`drop owned by ${role}; drop role ${role}`);
    await owner.end();
    await database.drop();
  });

  const lines = async (query: string) => {
    const text = `with ${COLUMNS}, ${FUNCTIONS} ${query}`;
    return (await owner.query<[string]>({ text, rowMode: 'array' })).rows.flat();
  };

  test('shares no function, and none looks in a temporary schema before ours', async () => {
    // A migration that makes a function has to see to both, one that replaces a function to its search path.
    expect(
      await lines(`select oid::regprocedure::text from functions
        where has_function_privilege('public', oid, 'execute')
          or prosqlbody is null and not coalesce(proconfig::text ~ 'search_path=[^"]*, pg_temp"', false)`),
    ).toEqual([]);
  });

  const shapes = Object.entries(SNARES).flatMap(([shape, made]) =>
    PATHS.map((path) => ({ shape, made, path })),
  );
  test.each(shapes)('runs nothing of a $shape in $path', async ({ made, path }) => {
    const url = new URL(database.connectionString);
    url.username = role;
    // A connection of its own: it keeps a PL/pgSQL function as it first ran.
    const intruder = new Client({ connectionString: url.href });
    await intruder.connect();
    const call = async (text: string) =>
      (await intruder.query(`select * from meridian_api.${text}`)).rows[0];
    try {
      await intruder.query(`create function pg_temp.tell() returns boolean language plpgsql as $$ begin
        if current_user <> session_user then raise 'run as %', current_user; end if; return true; end $$`);
      const domains = `select distinct format('create domain pg_temp.%I as %s check (pg_temp.tell())', told, type) from columns`;
      for (const line of [...(await lines(domains)), ...(await lines(made))]) {
        await intruder.query(line);
      }
      await intruder.query(`set search_path = ${path}`);
      // All of ours that a role could once call. Most fail, after they were compiled.
      for (const line of await lines(`select format('select %I.%I(%s)', nspname, proname, rtrim(repeat('null,', pronargs), ','))
        from functions where nspname <> 'meridian_api' and prorettype <> 'trigger'::regtype`)) {
        await intruder.query(line).catch(() => {});
      }

      const person = `'${(await call(`upsert_person('did:plc:person', 'person.test')`)).user_id}'`;
      const post = `'${(await call(`schedule_post(${person}, 'Grüße 👋', now(), embed => '{"images":[]}')`)).post_id}'`;
      await call(`edit_post(${person}, ${post}, 'Grüße', now())`);
      await call(`reschedule_post(${person}, ${post}, now())`);
      await call(`limits_in_force(${person})`);
      await call(`redeem_ticket('ABCD-EFGH-JKMN-PQRS', ${person})`);
      expect(await call('claim_posts()')).toMatchObject({ attempt: 1 });
      await call(`journal_post(${post}, 1, '[{"rkey":"3jzfcijpj2z2a","record":{}}]')`);
      await call(`put_off_post(${post}, 1, 1, 'host_down')`);
      await call(`hold_post(${post}, 1, 'host_down')`);
      await call(`release_posts(${person}, 'host_down')`);
      await call(`fail_post(${post}, 1, 'host_down', 'It is down')`);
      await call(`cancel_post(${person}, ${post})`);
      expect(await call(`read_post(${person}, ${post})`)).toMatchObject({ status: 'FAILED' });
    } finally {
      await intruder.end();
    }
  });
});
