import { Client } from 'pg';
import { startEmbeddedDatabase } from '../index.ts';

// Owns the database of the folder given, and writes numbered rows for as long as it lives. What it
// prints is what it was told is stored: `ready <pid of postgres>`, then one number per line.
const database = await startEmbeddedDatabase({ dataDir: process.argv[2] ?? '', purpose: 'serve' });
const client = new Client(database.connection);
await client.connect();
await client.query('create table if not exists acknowledged (n int primary key)');
process.stdout.write(`ready ${database.pid}\n`);
for (let n = 1; ; n++) {
  await client.query('insert into acknowledged values ($1) on conflict do nothing', [n]);
  process.stdout.write(`${n}\n`);
}
