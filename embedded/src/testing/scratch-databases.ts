import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { startEmbeddedDatabase } from '../index.ts';
import type { EmbeddedDatabase, EmbeddedDatabaseOptions } from '../index.ts';

export const isRoot = process.getuid?.() === 0;

/** A data folder per test; what was opened in it is stopped and the folder removed afterwards. */
export function scratchDatabases() {
  let dataDir = '';
  let opened: EmbeddedDatabase[] = [];
  let notices: string[] = [];
  let template: Promise<string> | undefined;

  beforeEach(async () => {
    dataDir = await makeFolder();
    opened = [];
    notices = [];
  });

  afterEach(async () => {
    for (const database of opened) await database.stop();
    // A killed owner's PostgreSQL may still be writing its last files: then it is tried again.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  });

  afterAll(async () => {
    if (template !== undefined) await rm(await template, { recursive: true, force: true });
  });

  return {
    /** As after a first start, of which one serves all tests of a file: initdb is what costs most. */
    async prepare(): Promise<void> {
      template ??= makeTemplate();
      await copyFolder(join(await template, 'postgres'), dataDir);
    },
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

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `meridian-test-${process.pid}-`));
  await chmod(folder, 0o711); // As root, PostgreSQL runs under another account.
  return folder;
}

async function makeTemplate(): Promise<string> {
  const dataDir = await makeFolder();
  const database = await startEmbeddedDatabase({ dataDir, purpose: 'serve' });
  await database.stop();
  return dataDir;
}

/** With owners and modes, which PostgreSQL looks at. */
async function copyFolder(folder: string, into: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', folder, into]);
}

export async function query<Row>(
  database: Pick<EmbeddedDatabase, 'connection'>,
  text: string,
): Promise<Row[]> {
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
