import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { migrate } from '../../server/src/db/migrate.ts';
import { sql } from '../../server/src/db/sql.ts';
import { createOAuthStore } from '../../server/src/network/oauth/oauth-client.ts';
import { newMasterKey } from '../../server/src/network/testing/test-live.ts';
import {
  createVault,
  makeMasterKey,
  masterKeys,
  readMasterKeys,
  rewrapAll,
} from '../../server/src/vault/vault.ts';
import { setUpDatabase } from '../../server/test/cluster/test-database.ts';
import { insertUser } from '../../server/test/fixtures.ts';
import { setUpFolder } from '../../server/test/folder.ts';
import { openPatient } from '../../server/test/patient.ts';
import { makeDataDir } from '../../server/test/process.ts';
import { runProgram } from '../../server/test/run-program.ts';

const ENGINE = new URL('../../server/src/engine-main.ts', import.meta.url);
const [old, fresh] = [newMasterKey(), newMasterKey()];
const storeWith = (...keys: string[]) =>
  createOAuthStore(db, createVault(masterKeys(keys.join('\n'))));
const idOf = (key: string) => masterKeys(key)[0].id;

const { database, db } = setUpDatabase('server');
const folder = setUpFolder();
afterEach(() => db.execute(sql`delete from oauth_sessions`));

async function run(args: string[], ...keys: string[]) {
  const file = join(folder, 'keys');
  await writeFile(file, keys.join('\n'), { mode: 0o600 });
  return runProgram(ENGINE, args, {
    DATABASE_URL: database.connectionString,
    ENGINE_KEY_FILE: file,
  });
}

test('a rotation while sessions are written loses none', async () => {
  const dids = Array.from({ length: 1_200 }, (_, index) => `did:plc:${index}`);
  const before = storeWith(old);
  // Not all at once: each would wait for a connection no longer than a request may.
  for (const did of dids) await before.saveSession(did, `first ${did}`);
  const during = storeWith(fresh, old);
  const newest = new Map(dids.map((did) => [did, `first ${did}`]));
  const rotated = new AbortController();
  const writing = (async () => {
    for (let round = 0; !rotated.signal.aborted; round += 1) {
      const did = dids[(round * 7) % 100] ?? '';
      await during.saveSession(did, `later ${did}`);
      newest.set(did, `later ${did}`);
      await expect(during.findSession(did)).resolves.toBe(`later ${did}`);
    }
  })();
  const vault = createVault(masterKeys(`${fresh}\n${old}`));
  const { rewrapped, missing } = await rewrapAll(db, vault);
  rotated.abort();
  await writing;
  expect(missing).toEqual([]);
  expect(rewrapped).toBeGreaterThanOrEqual(1_100);
  const after = storeWith(fresh);
  for (const did of dids) expect(await after.findSession(did)).toBe(newest.get(did));
});

test('the command says what it wrapped, and what it lacks the key for', async () => {
  await storeWith(old).saveSession('did:plc:a', 'session');
  expect(await run(['rotate-keys'], fresh)).toEqual({
    code: 1,
    stdout: `0 locked by the key ${idOf(fresh)}.\n`,
    stderr: `The rest needs the key ${idOf(old)}: add it to ENGINE_KEY_FILE or ENGINE_KEY, or give up what it locks with --discard.\n`,
  });
  const done = { code: 0, stdout: `1 locked by the key ${idOf(fresh)}.\n`, stderr: '' };
  expect(await run(['rotate-keys'], fresh, old)).toEqual(done);
  expect(await storeWith(fresh).findSession('did:plc:a')).toBe('session');
});

test('what no key opens can be given up, and its people are asked to connect again', async () => {
  const [lost, kept] = await Promise.all([
    insertUser(db, { did: 'did:plc:lost' }),
    insertUser(db, { did: 'did:plc:kept' }),
  ]);
  await db.execute(
    sql`insert into accounts (user_id, host) select id, 'https://h.example' from users`,
  );
  await storeWith(old).saveSession('did:plc:lost', 'session');
  await storeWith(fresh).saveSession('did:plc:kept', 'session');
  const { code, stdout } = await run(['rotate-keys', '--discard'], fresh);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `0 locked by the key ${idOf(fresh)}.\n1 discarded.\n`,
  });
  const states = await db.many<{ id: string; state: string }>(
    sql`select user_id as id, state from accounts`,
  );
  expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [lost, 'RECONNECT'],
      [kept, 'CONNECTED'],
    ]),
  );
});

test('the lost key of the embedded database can be given up, and another is made', async () => {
  const dataDir = await makeDataDir();
  const embedded = await startEmbeddedDatabase({ dataDir, purpose: 'tool' });
  try {
    await migrate(embedded.connection);
    const beside = openPatient(embedded.connection);
    const vault = createVault(masterKeys(old));
    await createOAuthStore(beside, vault).saveSession('did:plc:lost', 'session');
    await beside.close();
    const rotate = (...args: string[]) =>
      runProgram(ENGINE, ['rotate-keys', ...args], { DATA_DIR: dataDir });
    expect(await rotate()).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no engine-key in ${dataDir}: put a copy of it there, or give up what it locks with --discard.\n`,
    });
    const { code, stdout } = await rotate('--discard');
    const source = { engineKeys: null, dataDir, database: { url: null } };
    const [made] = readMasterKeys(source) ?? [];
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Made ${join(dataDir, 'engine-key')}; keep a copy apart from backups.\n0 locked by the key ${made?.id}.\n1 discarded.\n`,
    });
  } finally {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('an unknown command starts nothing, and --help opens no database', async () => {
  expect(await run(['rotate'], fresh)).toMatchObject({ code: 2, stdout: '' });
  const help = await runProgram(ENGINE, ['--help'], { DATABASE_URL: 'postgresql://nowhere/x' });
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('rotate-keys');
});

test('the key in DATA_DIR is made once, for its owner alone', async () => {
  const source = { engineKeys: null, dataDir: folder, database: { url: null } };
  expect(readMasterKeys(source)).toBeNull();
  const path = await makeMasterKey(source);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(readMasterKeys(source)).toHaveLength(1);
  await expect(makeMasterKey(source)).rejects.toThrow('EEXIST');
  await writeFile(path, 'short');
  expect(() => readMasterKeys(source)).toThrow(
    /engine-key must be a file that holds 32 random bytes/,
  );
});
