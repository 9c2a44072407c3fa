import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach } from 'vitest';
import { startEmbeddedDatabase } from '../index.ts';
import type { EmbeddedDatabase, EmbeddedDatabaseOptions } from '../index.ts';

export const isRoot = process.getuid?.() === 0;

/** A data folder per test; what was opened in it is stopped and the folder removed afterwards. */
export function scratchDatabases() {
  let dataDir = '';
  let opened: EmbeddedDatabase[] = [];
  let notices: string[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), `meridian-test-${process.pid}-`));
    await chmod(dataDir, 0o711); // As root, PostgreSQL runs under another account.
    opened = [];
    notices = [];
  });

  afterEach(async () => {
    for (const database of opened) await database.stop();
    // A killed owner's PostgreSQL may still be writing its last files: then it is tried again.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  });

  return {
    get dataDir() {
      return dataDir;
    },
    get notices() {
      return notices;
    },
    async open(options: Partial<EmbeddedDatabaseOptions> = {}): Promise<EmbeddedDatabase> {
      const database = await startEmbeddedDatabase({
        dataDir,
        purpose: 'serve',
        onNotice: (message) => notices.push(message),
        ...options,
      });
      opened.push(database);
      return database;
    },
  };
}

export async function query<Row>(database: EmbeddedDatabase, text: string): Promise<Row[]> {
  const client = new Client(database.connection);
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[]; // the text decides the shape
  } finally {
    await client.end();
  }
}

export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres', 'data18');
}

export async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}
