import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { openDatabase } from '../server/src/db/database.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { sql } from '../server/src/db/sql.ts';
import { judge, watchPending } from '../hard/engine/exactly-once.ts';
import { startFaultyHost } from '../hard/engine/faulty-host.ts';
import { runKills } from '../hard/engine/kill-run.ts';
import { insertUser } from '../server/test/fixtures.ts';
import { createAccount, startNetwork } from './network.mjs';

/** Kills engines while they publish to the reference PDS; exits 1 unless each post is published once. */
const NUMBERS = { posts: 600, kills: 30, processes: 4, leaseMs: 5_000, seed: '20261116' };
const USERS = 30;

const pds = await startNetwork();
const dataDir = await mkdtemp(join(tmpdir(), 'meridian-lab-'));
const embedded = await startEmbeddedDatabase({ dataDir, purpose: 'serve', onNotice() {} });
await migrate(embedded.connection);
const db = openDatabase(embedded.connection, { onError: (error) => print(String(error)) });
const tokens = new Map();
const host = await startFaultyHost({
  url: pds.url,
  authorize: async ({ did }) => ({ authorization: `Bearer ${tokens.get(did)}` }),
});
try {
  for (let user = 0; user < USERS; user += 1) {
    const { did, token } = await createAccount(pds.url, `kills-${user}`);
    tokens.set(did, token);
    await insertUser(db, { did });
  }
  await db.execute(sql`insert into accounts (user_id, host) select id, ${host.url} from users`);
  await watchPending(db);
  const { host: socket, port, user, database } = embedded.connection;
  const connectionString = `postgresql://${user}@${encodeURIComponent(socket)}:${port}/${database}`;
  const { done } = await runKills({ ...NUMBERS, db, connectionString });
  const { posts, ...wrong } = await judge(db, pds.url, host.firstSentAt);
  const counts = Object.entries(wrong).map(([name, found]) => `${name} ${found.length}`);
  for (const [fate, count] of done) print(`${count} killed ${fate}`);
  print(`${posts} posts, ${host.faults()} faults: ${counts.join(', ')}.`);
  const isOnce = Object.values(wrong).every(({ length }) => length === 0);
  process.exitCode = isOnce && posts >= NUMBERS.posts ? 0 : 1;
} finally {
  await host.close();
  await db.close();
  await embedded.stop();
  await pds.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
