import type { Client } from 'pg';
import { isServerError } from '../db/errors.ts';
import { StartError } from '../start-error.ts';

const LOCK_TIMEOUT = '10s';
const LOCK_NOT_AVAILABLE = '55P03';

type Rebuild = {
  work: () => Promise<void>;
  onRebuilt: (done: number, total: number) => void;
};
type Definition = { drop: string; create: string };

/**
 * Drops the secondary indexes, unique constraints and foreign keys of these tables, runs the work
 * and creates them again. All inside the caller's transaction: an error leaves the schema as it was.
 * The tables are locked meanwhile.
 */
export async function withIndexesRebuilt(
  client: Client,
  tables: readonly string[],
  { work, onRebuilt }: Rebuild,
): Promise<void> {
  await lock(client, tables);
  const definitions = await findDefinitions(client, tables);
  for (const { drop } of definitions) await client.query(drop);
  await work();
  await client.query(`set local maintenance_work_mem = '256MB'`);
  for (const [index, { create }] of definitions.entries()) {
    onRebuilt(index, definitions.length);
    await client.query(create);
  }
  onRebuilt(definitions.length, definitions.length);
}

async function lock(client: Client, tables: readonly string[]): Promise<void> {
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
  } catch (error) {
    if (!isServerError(error) || error.code !== LOCK_NOT_AVAILABLE) throw error;
    throw new StartError(
      'Another program keeps the tables busy. Nothing was added; stop it or try again later.',
      { cause: error },
    );
  }
}

/** Unique constraints first, foreign keys last. A constraint that another table refers to stays. */
async function findDefinitions(client: Client, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
            format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname,
                   pg_get_constraintdef(c.oid)) as create,
            case c.contype when 'u' then 1 else 3 end as rank
     from pg_constraint c
     where c.conrelid = any($1::regclass[]) and c.contype in ('u', 'f')
       and not exists (select from pg_constraint f
                       where f.contype = 'f' and f.confrelid = c.conrelid and f.conindid = c.conindid)
     union all
     select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid), 2
     from pg_index i
     where i.indrelid = any($1::regclass[])
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
     order by rank, 2`,
    [tables],
  );
  return rows;
}
