import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { SUPERUSER } from './cluster.ts';
import { EmbeddedDatabaseError } from './index.ts';
import {
  clusterFolder,
  isRoot,
  modeOf,
  query,
  scratchDatabases,
} from './testing/scratch-databases.ts';

const scratch = scratchDatabases();

describe('a first start', () => {
  test('creates the database, keeps it, and never turns durability off', async () => {
    const first = await scratch.open();
    expect(first.role).toBe('owner');
    expect(first.connection.database).toBe('meridian');
    await query(first, 'create table kept as select 42 as answer');
    const settings = await query<{ setting: string }>(
      first,
      `select setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes')`,
    );
    expect(settings.map((row) => row.setting)).toEqual(['on', 'on', 'on']);
    await first.stop();

    const second = await scratch.open();
    expect(second.pid).not.toBe(first.pid);
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(scratch.notices).toEqual([]);
  });

  test('of several first starts at once one makes the database and the others join', async () => {
    const tools = await Promise.all([1, 2, 3].map(() => scratch.open({ purpose: 'tool' })));
    expect(tools.map((tool) => tool.role).toSorted()).toEqual(['guest', 'guest', 'owner']);
    expect(new Set(tools.map((tool) => tool.pid)).size).toBe(1);
    const names = await readdir(join(scratch.dataDir, 'postgres'));
    expect(names.filter((name) => name.includes('.init-'))).toEqual([]);
  });
});

describe('one process', () => {
  beforeEach(() => scratch.prepare());

  test('does not listen on the network, and only its own account may enter its folders', async () => {
    const database = await scratch.open();
    expect(await query(database, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(await modeOf(database.connection.host)).toBe('700');
    expect(await modeOf(clusterFolder(scratch.dataDir))).toBe('700');
  });

  test('what connects owns the database, also one of an earlier version, and nothing else', async () => {
    const before = await scratch.open();
    const administrator = { connection: { ...before.connection, user: SUPERUSER } };
    const name = before.connection.database;
    await query(administrator, `alter database ${name} owner to ${SUPERUSER}`);
    await query(administrator, 'create extension pg_trgm');
    await query(administrator, 'create table kept (id bigint generated always as identity)');
    await query(administrator, 'create view seen as select id from kept');
    await query(administrator, 'create function named() returns int language sql return 1');
    await query(administrator, 'reassign owned by meridian to app; drop role meridian');
    await before.stop();
    await rm(`${clusterFolder(scratch.dataDir)}.owned`);

    const after = await scratch.open();
    await query(after, 'insert into kept default values');
    await query(after, 'alter table kept add column note text');
    await query(after, 'drop view seen');
    await query(after, 'create or replace function named() returns int language sql return 2');
    await query(after, 'create extension if not exists btree_gist');
    await expect(query(after, "copy kept to program 'true'")).rejects.toThrow('permission denied');
    await expect(query(after, 'create role other')).rejects.toThrow('permission denied');
    await expect(query(after, "select pg_read_file('PG_VERSION')")).rejects.toThrow('permission');
  });

  test('stopping twice is stopping once', async () => {
    const database = await scratch.open();
    await Promise.all([database.stop(), database.stop()]);
    await database.stop();
    await expect(query(database, 'select 1')).rejects.toThrow('ENOENT');
  });
});

describe('ownership of the folder', () => {
  beforeEach(() => scratch.prepare());

  test('a second server is refused in one sentence that names the folder', async () => {
    const first = await scratch.open();
    const refusal = await scratch.open().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EmbeddedDatabaseError);
    expect(refusal).toMatchObject({
      code: 'in-use',
      message: `The database folder ${join(scratch.dataDir, 'postgres')} is in use by another Meridian server (process ${process.pid}).`,
    });
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a server that is just stopping is waited for', async () => {
    const first = await scratch.open();
    const second = scratch.open();
    await first.stop();
    expect((await second).role).toBe('owner');
  });

  test('a tool joins the server and leaves it running', async () => {
    const server = await scratch.open();
    const tool = await scratch.open({ purpose: 'tool' });
    expect(tool).toMatchObject({ role: 'guest', pid: server.pid, connection: server.connection });
    await tool.stop();
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a tool opens the database itself when no server runs', async () => {
    const tool = await scratch.open({ purpose: 'tool' });
    expect(tool.role).toBe('owner');
    await tool.stop();
    expect((await scratch.open()).role).toBe('owner');
  });
});

describe('folders', () => {
  test('one that cannot be written is named in one sentence', async () => {
    const blocked = join(scratch.dataDir, 'a-file');
    await writeFile(blocked, '');
    await expect(scratch.open({ dataDir: blocked })).rejects.toMatchObject({
      code: 'not-writable',
      message: `The database folder ${join(blocked, 'postgres')} cannot be written: a file stands where a folder should be.`,
    });
  });

  test.skipIf(isRoot)('one without permission is named in one sentence', async () => {
    await chmod(scratch.dataDir, 0o500);
    await expect(scratch.open()).rejects.toThrow(
      `The database folder ${join(scratch.dataDir, 'postgres')} cannot be written: permission denied.`,
    );
  });

  test('a database of another PostgreSQL is left alone', async () => {
    const older = join(scratch.dataDir, 'postgres', 'data9');
    await mkdir(older, { recursive: true });
    await expect(scratch.open()).rejects.toMatchObject({ code: 'wrong-version' });
    expect(await readdir(join(scratch.dataDir, 'postgres'))).toEqual(['data9']);
  });

  test('a path too long for a socket gets one elsewhere, and tools still find it', async () => {
    const long = join(scratch.dataDir, 'long'.repeat(12), 'path'.repeat(12));
    const server = await scratch.open({ dataDir: long });
    expect(server.connection.host.startsWith(scratch.dataDir)).toBe(false);
    expect(await modeOf(server.connection.host)).toBe('700');
    const tool = await scratch.open({ dataDir: long, purpose: 'tool' });
    expect(tool.connection).toEqual(server.connection);
    expect(await query(tool, 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.stop();
    await rm(server.connection.host, { recursive: true });
  });

  test.runIf(isRoot)(
    'closed to the database account: says so, keeps the data elsewhere',
    async () => {
      await chmod(scratch.dataDir, 0o700);
      const folder = join(scratch.dataDir, 'postgres');
      const first = await scratch.open();
      const elsewhere = (await readFile(join(folder, 'location'), 'utf8')).trim();
      try {
        expect(elsewhere).toMatch(/^\/var\/lib\/meridian\/db-/);
        const words = `cannot reach ${folder}, so it is kept in ${elsewhere}.`;
        expect(scratch.notices).toEqual([expect.stringContaining(words)]);
        await query(first, 'create table kept as select 42 as answer');
        await first.stop();
        // Once moved it stays there, whether or not the folder has been opened up since.
        await chmod(scratch.dataDir, 0o755);
        const second = await scratch.open();
        expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
        await second.stop();
      } finally {
        await rm(elsewhere, { recursive: true, force: true });
      }
    },
  );
});
