import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { openDatabase } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { runConformance } from '../server/src/network/testing/conformance.ts';
import { startLocalHost } from '../server/src/network/testing/local-host.ts';
import { createTestTableStore } from '../server/src/network/testing/test-table-store.ts';
import { insertUser } from '../server/test/fixtures.ts';
import { createAccount, startNetwork } from './network.mjs';

/** Sends the suite to the reference PDS and to the local network; exits 1 where they differ. */
const reference = await onReferencePds();
const local = await onLocalNetwork();
const differences = reference.filter((real, index) => {
  const mine = local[index];
  const isSame = JSON.stringify(real.outcome) === JSON.stringify(mine?.outcome);
  const isExpected = Object.entries(real.expected).every(
    ([name, value]) => real.outcome[name] === value,
  );
  if (isSame && isExpected) return false;
  print(`${real.name}: expected ${JSON.stringify(real.expected)}`);
  print(`  reference ${JSON.stringify(real.outcome)} ${real.message}`);
  print(`  local     ${JSON.stringify(mine?.outcome)} ${mine?.message}`);
  return true;
});
const words = reference.filter(({ message }, index) => message === local[index]?.message).length;
print(
  `${reference.length} requests to both: ${differences.length} differ in status, error, commit or ` +
    `CID; ${words} have the same message.`,
);
process.exitCode = differences.length === 0 ? 0 : 1;

async function onReferencePds() {
  const pds = await startNetwork();
  try {
    const [account, other] = [
      await createAccount(pds.url, 'conformance-a'),
      await createAccount(pds.url, 'conformance-b'),
    ];
    return await runConformance({ url: pds.url, account, other });
  } finally {
    await pds.stop();
  }
}

async function onLocalNetwork() {
  const dataDir = await mkdtemp(join(tmpdir(), 'meridian-lab-'));
  const embedded = await startEmbeddedDatabase({ dataDir, purpose: 'serve', onNotice() {} });
  await migrate(embedded.connection);
  const db = openDatabase(embedded.connection, { onError: (error) => print(String(error)) });
  const host = await startLocalHost({ store: createTestTableStore(db) });
  const accountOf = async (did) => {
    await insertUser(db, { did });
    const { authorization = '' } = await host.authorize({ did });
    return { did, token: authorization.replace('Bearer ', '') };
  };
  try {
    return await runConformance({
      url: host.url,
      account: await accountOf('did:plc:conformanceaaaaaaaaaaaaa'),
      other: await accountOf('did:plc:conformancebbbbbbbbbbbbb'),
    });
  } finally {
    await host.close();
    await db.close();
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
