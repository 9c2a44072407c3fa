import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { inject } from 'vitest';
import type { Engine } from './cluster/clusters.ts';

export type EmptyDatabase = {
  url: string;
  name: string;
  role: string;
  /** `host:port`, as sentences name it. */
  place: string;
  query<Row>(text: string): Promise<Row[]>;
  drop(): Promise<void>;
};

/** A database without a schema of ours, as an operator creates one. `how` follows its name. */
export async function createEmptyDatabase(engine: Engine, how = ''): Promise<EmptyDatabase> {
  const address = inject('clusters')[engine];
  const name = `empty_${randomBytes(8).toString('hex')}`;
  await queryAt(address, `create database ${escapeIdentifier(name)} ${how}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    role: url.username,
    place: url.host,
    query: (text) => queryAt(url.href, text),
    async drop() {
      await queryAt(address, `drop database ${escapeIdentifier(name)} with (force)`);
    },
  };
}

/** Every table, view and sequence that is no part of PostgreSQL itself. */
export async function relationsIn(database: EmptyDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(`
    select oid::regclass::text as name from pg_class
    where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and relkind in ('r', 'v', 'm', 'S', 'p') order by 1`);
  return rows.map(({ name }) => name);
}

async function queryAt<Row>(connectionString: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[]; // the text decides the shape
  } finally {
    await client.end();
  }
}
