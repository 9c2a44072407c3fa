import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, startTestApp } from '../test/app.ts';
import type { TestApp } from '../test/app.ts';
import { sql } from './db/sql.ts';

describe.each(ENGINES)('/readyz on %s', (engine) => {
  let t: TestApp;
  beforeEach(async () => void (t = await startTestApp(engine)));
  afterEach(() => t.close());

  const readyz = async () => {
    const { statusCode, body } = await t.app.inject('/readyz');
    return [statusCode, JSON.parse(body)];
  };

  test('is ok when the database has the schema and accepts writes', async () => {
    expect(await readyz()).toEqual([200, { status: 'ok' }]);
  });

  test('reports a read-only database', async () => {
    await t.db.execute(sql`
      do $$ begin
        execute format('alter database %I set default_transaction_read_only = on', current_database());
      end $$`);
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'read_only' }]);
    expect(t.logged.filter((line) => line.includes('"Not ready"'))).toEqual([
      expect.stringContaining('"reason":"read_only"'),
    ]);
  });

  test('reports a schema of another version', async () => {
    await t.db.execute(sql`delete from schema_migrations`);
    expect(await readyz()).toEqual([503, { status: 'unavailable', reason: 'schema' }]);
  });
});
