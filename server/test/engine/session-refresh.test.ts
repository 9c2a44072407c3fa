import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { openStage } from './stage.ts';
import type { Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('server');
});
afterEach(() => stage.close());

test('a suspension while a session is renewed is obeyed', async () => {
  const local = createLocalNetwork(stage.db);
  const [begun, renewed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let calls = 0;
  const engine = await stage.startEngine({
    ...local,
    async refreshSession() {
      begun.resolve();
      await renewed.promise;
    },
    putRecord(account, write) {
      calls += 1;
      return local.putRecord(account, write);
    },
  });
  await stage.addPost(await stage.addUser(null), 0);
  await begun.promise;
  await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
  await expect
    .poll(() => engine.metrics.registry.metrics())
    .toMatch(/^meridian_engine_switch_seconds_count 1$/m);
  renewed.resolve();
  const statuses = async () => (await stage.readPosts()).map(({ status }) => status);
  await expect.poll(statuses).toEqual(['PENDING']);
  expect(calls).toBe(0);

  await stage.db.execute(sql`update service_settings set is_service_suspended = false`);
  await stage.untilOpen(0);
  expect(calls).toBe(1);
});
