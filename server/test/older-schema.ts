import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Client } from 'pg';

const MIGRATIONS = new URL('../src/db/migrations/', import.meta.url);

/** The schema of a version before this one, as its own start has left it, in place of the one that is there. */
export async function makeOlderSchema(client: Client, version: number): Promise<void> {
  await client.query(
    'drop schema if exists meridian_api cascade; drop schema public cascade; create schema public',
  );
  await client.query(`
    create table schema_migrations (
      version integer primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default now())`);
  const files = (await readdir(MIGRATIONS)).toSorted().slice(0, version);
  for (const [index, file] of files.entries()) {
    const text = await readFile(new URL(file, MIGRATIONS), 'utf8');
    await client.query(text);
    const checksum = createHash('sha256').update(text).digest('hex');
    await client.query(
      'insert into schema_migrations (version, name, checksum) values ($1, $2, $3)',
      [index + 1, file.slice('0000-'.length, -'.sql'.length), checksum],
    );
  }
}
