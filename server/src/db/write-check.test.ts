import { Client, escapeIdentifier } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/app.ts';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import type { TestDatabase } from '../../test/cluster/test-database.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';
import { createWriteCheck } from './write-check.ts';
import type { WriteCheck } from './write-check.ts';
import { openPatient } from '../../test/patient.ts';

/** The server itself refuses these, with the codes that a broken disk or a standby would cause. */
const REFUSED: Record<string, Sql> = {
  '25006': sql`do $$ begin raise exception using errcode = '25006'; end $$`,
  '53100': sql`do $$ begin raise exception using errcode = '53100'; end $$`,
  '58030': sql`do $$ begin raise exception using errcode = '58030'; end $$`,
};
const raise = (code: string): Sql => REFUSED[code] ?? sql`select 1 / 0`;

describe.each(ENGINES)('whether the database on %s takes changes', (engine) => {
  let home: TestDatabase;
  let db: Database;
  let check: WriteCheck;
  let nowMs: number;
  beforeEach(async () => {
    home = await createTestDatabase(engine);
    // One connection, which keeps the settings it was opened with.
    const { connectionString } = home;
    db = openPatient({ connectionString }, 1);
    nowMs = 0;
    check = createWriteCheck(db, () => nowMs);
  });
  afterEach(async () => {
    await db.close();
    await home.drop();
  });

  /** As the operator of the server does it, for every connection from now on. */
  async function alterDatabase(change: string): Promise<void> {
    const client = new Client({
      connectionString: home.connectionString,
      options: '-c default_transaction_read_only=off',
    });
    await client.connect();
    await client.query(`alter database ${escapeIdentifier(client.database ?? '')} ${change}`);
    await client.end();
  }

  test('is asked every ten seconds, and every two while it does not', async () => {
    expect(await check.problem()).toBeNull();
    await alterDatabase('set default_transaction_read_only = on');
    nowMs = 9_999;
    expect(await check.problem()).toBeNull();
    nowMs = 10_000;
    // The connection that asks is older than the setting, and could still write.
    expect(await check.problem()).toBe('read_only');
    await alterDatabase('reset default_transaction_read_only');
    nowMs = 11_999;
    expect(await check.problem()).toBe('read_only');
    nowMs = 12_000;
    expect(await check.problem()).toBeNull();
  });

  test('a connection that was opened while it was read-only is replaced', async () => {
    await alterDatabase('set default_transaction_read_only = on');
    expect(await check.problem()).toBe('read_only');
    await alterDatabase('reset default_transaction_read_only');
    nowMs = 2_000;
    expect(await check.problem()).toBeNull();
    const change = sql`update service_settings set is_closed_beta = false`;
    await alterDatabase('set default_transaction_read_only = on');
    await db.many(sql`select pg_terminate_backend(pg_backend_pid())`).catch(() => {});
    await expect(db.transaction((tx) => tx.execute(change))).rejects.toThrow('read-only');
    await expect(db.execute(change)).rejects.toThrow('read-only');
    await alterDatabase('reset default_transaction_read_only');
    expect(await db.execute(change)).toBe(1);
  });

  test.each([
    ['25006', 'read_only'],
    ['53100', 'disk_full'],
    ['58030', 'io_error'],
  ])('a change that fails with %s counts at once, until one succeeds', async (code, problem) => {
    expect(await check.problem()).toBeNull();
    await expect(check.watched.execute(raise(code))).rejects.toMatchObject({ code });
    nowMs = 1_999;
    expect(await check.problem()).toBe(problem);
    nowMs = 2_000;
    expect(await check.problem()).toBeNull();

    const change = check.watched.transaction((tx) => tx.execute(raise(code)));
    await expect(change).rejects.toMatchObject({ code });
    nowMs = 3_999;
    expect(await check.problem()).toBe(problem);
  });

  test('a change that fails for another reason does not count', async () => {
    expect(await check.problem()).toBeNull();
    await expect(check.watched.execute(raise('22012'))).rejects.toMatchObject({ code: '22012' });
    expect(await check.problem()).toBeNull();
  });

  test('a change that fails while it is asked is not forgotten', async () => {
    const asked = check.problem();
    // On the only connection this one comes next.
    const change = check.watched.transaction((tx) => tx.execute(raise('53100')));
    await expect(change).rejects.toMatchObject({ code: '53100' });
    await asked;
    expect(await check.problem()).toBe('disk_full');
  });
});

test('revoked privileges of the role are noticed, those on tables of others are not asked for', async () => {
  // A superuser, as the role of the embedded database is, has every privilege.
  const home = await createTestDatabase('server');
  const { connectionString } = home;
  const db = openPatient({ connectionString }, 1);
  let nowMs = 0;
  const check = createWriteCheck(db, () => nowMs);
  const problemAfter = async (change: Sql) => {
    await db.execute(change);
    nowMs += 10_000;
    return check.problem();
  };
  const missing = 'insufficient_privilege';
  expect(await problemAfter(sql`revoke update on audit_log from current_user`)).toBeNull();
  expect(await problemAfter(sql`revoke update on users from current_user`)).toBe(missing);
  expect(await problemAfter(sql`grant update (status) on users to current_user`)).toBeNull();
  expect(await problemAfter(sql`revoke insert on audit_log from current_user`)).toBe(missing);
  expect(await problemAfter(sql`grant insert on audit_log to current_user`)).toBeNull();
  await db.close();
  await home.drop();
});

test('a server that forbids temporary files has no full disk', async () => {
  // Only a superuser may forbid them, as the role of the embedded database is.
  const home = await createTestDatabase('embedded');
  const { connectionString } = home;
  const db = openPatient({ connectionString, options: '-c temp_file_limit=0' }, 1);
  expect(await createWriteCheck(db).problem()).toBeNull();
  await db.close();
  await home.drop();
});
