import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { audit } from './audit.mjs';
import { startFront } from './front.mjs';
import { startHost } from './host.mjs';
import { openClusters } from './postgres.mjs';

/** Engines on a database that loses what it has committed, and an auditor that shares no code with them. */
const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const of = (full, small) => (values.small ? small : full);

const USERS = 50;
const ENGINES = 2;
/** Less than any setting allows, so that leases end while posts wait. */
const LEASE_MS = 2_000;
const WRITERS = 10;
const BEHIND_MS = 4_000;
const SETTLE_MS = 180_000;

const scratch = await mkdtemp(join(tmpdir(), 'meridian-failover-'));
// The servers run as another user.
await chmod(scratch, 0o755);
const clusters = await openClusters(join(scratch, 'clusters'));
const children = new Set();

function start(file, env, { isFaulty = false } = {}) {
  const plant = isFaulty ? ['--import', join(import.meta.dirname, 'keys-at-sending.mjs')] : [];
  const child = spawn(process.execPath, [...plant, join(root, file)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += chunk));
  }
  const ended = new Promise((end) => {
    child.on('close', () => {
      children.delete(child);
      end();
    });
  });
  return {
    async until(words) {
      while (!output.includes(words)) {
        if (!children.has(child)) throw new Error(`${file} ended:\n${output}`);
        await delay(20);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const connect = async (connectionString) => {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
};

/** A database with people on the host, as the server itself lays it out. */
async function fill(cluster, host) {
  const admin = await connect(cluster.address('postgres'));
  await admin.query('create database meridian');
  await admin.end();
  const folder = await mkdtemp(join(scratch, 'data-'));
  const env = { DATABASE_URL: cluster.address('meridian'), DATA_DIR: folder, PORT: '0' };
  const server = start('server/src/main.ts', { ...env, ENGINE: 'off', DEMO_DATA: 'off' });
  await server.until('Address');
  await server.kill();
  const client = await connect(cluster.address('meridian'));
  await client.query(
    `with made as (
       insert into users (id, did, handle, status, is_active)
       select new_row_id(), 'did:plc:writer' || n, 'writer' || n || '.test', 'ACTIVE', true
       from generate_series(1, $1) n returning id)
     insert into accounts (user_id, host) select id, $2 from made`,
    [USERS, host.url],
  );
  await client.end();
}

/** Every fifth has a second part. */
const INSERT = `insert into posts (id, user_id, content, thread, scheduled_at)
  select new_row_id(), (select id from users where did = $1), $2, $3, now() + $4 * interval '1 millisecond'
  returning id`;

const insert = async (client, n, dueInMs) => {
  const text = randomUUID();
  const thread = n % 5 === 0 ? JSON.stringify([{ content: `${text} 2`, languages: ['en'] }]) : null;
  const did = `did:plc:writer${1 + (n % USERS)}`;
  const { rows } = await client.query(INSERT, [did, text, thread, dueInMs]);
  return rows[0].id;
};

/** So many posts from ten writers in so many seconds, who go on where a connection broke. */
function write(address, count, seconds) {
  const acknowledged = [];
  let next = 0;
  const startedAt = Date.now();
  const writer = async () => {
    let client = null;
    while (next < count) {
      const n = next;
      next += 1;
      await delay(Math.max(0, startedAt + (n * seconds * 1000) / count - Date.now()));
      try {
        client ??= await connect(address);
        acknowledged.push(await insert(client, n, 1_000 + Math.random() * 2_000));
      } catch {
        client = null;
        await delay(100);
      }
    }
    await client?.end();
  };
  const done = Promise.all(Array.from({ length: WRITERS }, writer));
  return {
    acknowledged,
    done,
    part: (share) => until(() => next >= count * share),
  };
}

async function until(condition) {
  while (!(await condition())) await delay(50);
}

/** Until nothing is open, or for as long as anything may take; then what there is. */
async function outcome(address) {
  const end = Date.now() + SETTLE_MS;
  const client = await connect(address);
  const open = async () =>
    (await client.query(`select from posts where status in ('PENDING', 'PROCESSING') limit 1`))
      .rowCount;
  while ((await open()) > 0 && Date.now() < end) await delay(200);
  const { rows } = await client.query(
    `select p.id, u.did, p.status, p.cause, array[content] || coalesce(
       (select array_agg(part ->> 'content') from jsonb_array_elements(thread) as part), '{}') as texts
     from posts p join users u on u.id = p.user_id`,
  );
  await client.end();
  return rows;
}

const SCENARIOS = {
  /** Half of the posts are too late when the dump comes back, all were sent after it was made. */
  'a dump is restored while engines run': async ({ host, engines }) => {
    const cluster = await clusters.primary(`dump-${randomUUID()}`, {});
    await cluster.start();
    await fill(cluster, host);
    const address = cluster.address('meridian');
    const client = await connect(address);
    const acknowledged = [];
    for (let n = 0; n < of(300, 60); n += 1) acknowledged.push(await insert(client, n, 8_000));
    for (let n = 0; n < 30; n += 1) acknowledged.push(await insert(client, n, of(45_000, 25_000)));
    const file = join(cluster.data, 'meridian.dump');
    await cluster.dump('meridian', file);
    const all = await engines(address);
    const early = acknowledged.length - 30;
    await until(async () => {
      const { rows } = await client.query(
        `select count(*)::int as n from posts where status = 'COMPLETED'`,
      );
      return rows[0].n >= early;
    });
    await client.end();
    const admin = await connect(cluster.address('postgres'));
    await admin.query('create database restored');
    await cluster.restore('restored', file);
    const restored = await connect(cluster.address('restored'));
    await restored.query(
      `update posts set scheduled_at = scheduled_at - interval '3 hours', claim_at = claim_at - interval '3 hours'
       where status = 'PENDING' and scheduled_at < now() and right(id::text, 1) < '8'`,
    );
    await restored.end();
    await admin.query('drop database meridian with (force)');
    await admin.query('alter database restored rename to meridian');
    await admin.end();
    const posts = await outcome(address);
    await Promise.all(all.map((engine) => engine.kill()));
    await cluster.kill();
    return { posts, acknowledged };
  },

  'a standby that is 4 s behind takes over': async ({ host, engines }) => {
    const name = randomUUID();
    const primary = await clusters.primary(`primary-${name}`, {
      wal_level: 'replica',
      max_wal_senders: '5',
    });
    await primary.start();
    await fill(primary, host);
    const link = await startFront(primary.port);
    const via = { port: primary.port, via: link.port };
    const standby = await clusters.standbyOf(`standby-${name}`, via);
    await standby.start();
    const admin = await connect(primary.address('postgres'));
    const streaming = `select from pg_stat_replication where state = 'streaming'`;
    await until(async () => (await admin.query(streaming)).rowCount === 1);
    await admin.end();
    link.delayBy(BEHIND_MS);
    const front = await startFront(primary.port);
    const address = primary.address('meridian', front.port);
    const all = await engines(address);
    const writing = write(address, of(5_000, 800), of(25, 10));
    await writing.part(0.6);
    link.close();
    await primary.kill();
    await standby.promote();
    front.moveTo(standby.port);
    await writing.done;
    const posts = await outcome(address);
    await Promise.all(all.map((engine) => engine.kill()));
    await standby.kill();
    front.close();
    return { posts, acknowledged: writing.acknowledged };
  },

  'synchronous_commit = off, and five stops': async ({ host, engines }) => {
    const settings = {
      synchronous_commit: 'off',
      wal_writer_delay: '10s',
      wal_writer_flush_after: '64MB',
    };
    const cluster = await clusters.primary(`off-${randomUUID()}`, {
      ...settings,
      wal_buffers: '64MB',
    });
    await cluster.start();
    await fill(cluster, host);
    const address = cluster.address('meridian');
    const all = await engines(address);
    const writing = write(address, of(3_000, 600), of(30, 12));
    for (const share of [0.15, 0.3, 0.45, 0.6, 0.75]) {
      await writing.part(share - 0.1);
      await cluster.stopWalWriter();
      await writing.part(share);
      await cluster.kill();
      await cluster.start();
    }
    await writing.done;
    const posts = await outcome(address);
    await Promise.all(all.map((engine) => engine.kill()));
    await cluster.kill();
    return { posts, acknowledged: writing.acknowledged };
  },
};

async function tell(name, scenario, isFaulty) {
  const file = join(scratch, `${randomUUID()}.jsonl`);
  appendFileSync(file, '');
  const host = await startHost(file);
  const engines = async (address) => {
    const env = { DATABASE_URL: address, LEASE_MS: String(LEASE_MS) };
    const started = Array.from({ length: ENGINES }, () =>
      start('hard/engine/worker-child.ts', env, { isFaulty }),
    );
    for (const engine of started) await engine.until('ready');
    return started;
  };
  const startedAt = Date.now();
  const { posts, acknowledged } = await scenario({ host, engines });
  host.close();
  const found = audit(file, posts, acknowledged);
  const { doubled, lost, undecided, denied, failed } = found;
  const isRight = lost + undecided + denied + failed === 0;
  // The control loses commits as well: what it is for is that doubles are found.
  const isMet = found.published > 0 && (isFaulty ? doubled > 0 : isRight && doubled === 0);
  const goal = isFaulty
    ? `${name}, keys given at sending: doubles are found`
    : `${name}: 0 doubled, 0 lost but by the database`;
  const measured = Object.entries(found)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ');
  const took = Math.round((Date.now() - startedAt) / 1000);
  process.stdout.write(`${isMet ? 'met ' : 'MISSED'}  ${goal}\n        ${measured} (${took} s)\n`);
  const figures = process.env.FIGURES_FILE;
  if (figures) appendFileSync(figures, `${JSON.stringify({ goal, measured, isMet })}\n`);
  return isMet;
}

let isMet = true;
try {
  for (const isFaulty of [false, true]) {
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      isMet = (await tell(name, scenario, isFaulty)) && isMet;
    }
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  await clusters.close();
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = isMet ? 0 : 1;
