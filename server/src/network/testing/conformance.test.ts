import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../../../test/app.ts';
import type { TestApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { runConformance } from './conformance.ts';
import { startLocalHost } from './local-host.ts';
import type { LocalHost } from './local-host.ts';
import { createTestTableStore } from './test-table-store.ts';

let app: TestApp;
let host: LocalHost;
beforeAll(async () => {
  app = await startTestApp('server');
  host = await startLocalHost({ store: createTestTableStore(app.db) });
});
afterAll(async () => {
  await host.close();
  await app.close();
});

async function accountOf(did: string) {
  await insertUser(app.db, { did });
  const { authorization = '' } = await host.authorize({ did });
  return { did, token: authorization.replace('Bearer ', '') };
}

test('every response is that of the reference PDS', async () => {
  const results = await runConformance({
    url: host.url,
    account: await accountOf('did:plc:conformanceaaaaaaaaaaaaa'),
    other: await accountOf('did:plc:conformancebbbbbbbbbbbbb'),
  });
  const different = results.filter(({ expected, outcome }) => {
    const agreed = { ...outcome, ...expected };
    return JSON.stringify(agreed) !== JSON.stringify(outcome);
  });
  expect(different).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(100);
});
