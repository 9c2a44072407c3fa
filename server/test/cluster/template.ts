import { Client, escapeIdentifier } from 'pg';
import { migrate } from '../../src/db/migrate.ts';

const TEMPLATE = 'meridian_template';

/** Migrates one database per cluster; every test database is a copy of it. */
export async function createTemplate(address: string): Promise<void> {
  await run(address, `create database ${TEMPLATE}`);
  await migrate({ connectionString: databaseAt(address, TEMPLATE) });
}

export async function copyTemplate(address: string, name: string): Promise<string> {
  // wal_log copies page by page and spares the two checkpoints that file_copy makes.
  await run(
    address,
    `create database ${escapeIdentifier(name)} template ${TEMPLATE} strategy wal_log`,
  );
  return databaseAt(address, name);
}

export async function dropDatabase(address: string, name: string): Promise<void> {
  await run(address, `drop database if exists ${escapeIdentifier(name)} with (force)`);
}

function databaseAt(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

async function run(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
