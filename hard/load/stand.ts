import { planCreate } from '@meridian/contract/plans';
import { createRandom } from '@meridian/demo/random';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { readFile, readdir } from 'node:fs/promises';
import { createClosers } from '../../server/src/background-task.ts';
import { openDatabase } from '../../server/src/db/database.ts';
import type { Database } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import { ServerProcess, makeDataDir } from '../../server/test/process.ts';
import { runProgram } from '../../server/test/run-program.ts';
import { onSeparateCores } from './cores.ts';
import type { Ask } from './http-client.ts';

export type Sizes = { users: number; posts: number; tickets: number; plans: number };

/** A server as `npm start` runs it, full of things, and what is asked of it. */
export type Stand = {
  server: ServerProcess;
  token: string;
  db: Database;
  /** Whether server and database have a core without the generator. */
  isSeparate: boolean;
  /** Four reads to one change, of things that are there. */
  mixed: () => Ask;
  memoryMb: () => Promise<number>;
  descriptors: () => Promise<number>;
  close: () => Promise<void>;
};

const SEED_PROGRAM = new URL('../../server/src/seed/seed-cli.ts', import.meta.url);

export async function startStand(sizes: Sizes, seed: string): Promise<Stand> {
  const closers = createClosers();
  const dataDir = await makeDataDir(closers);
  const { started: server, isSeparate } = await onSeparateCores(() =>
    ServerProcess.start({ DATA_DIR: dataDir, DEMO_DATA: 'off' }),
  );
  closers.add(async () => void (await server.stop()));
  const token = await server.token();
  const { connection } = await startEmbeddedDatabase({ dataDir, purpose: 'tool' });
  // Filling takes longer than any statement of the server.
  const limits = { statement_timeout: 120_000, query_timeout: 120_000 };
  const db = openDatabase({ ...connection, ...limits }, { maxConnections: 2, onError: () => {} });
  closers.add(() => db.close());
  try {
    await fill(server, db, dataDir, sizes);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
  return {
    server,
    token,
    db,
    isSeparate,
    mixed: await mixOf(db, seed),
    async memoryMb() {
      const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    descriptors: async () => (await readdir(`/proc/${server.pid}/fd`)).length,
    close: () => closers.closeAll(),
  };
}

async function fill(server: ServerProcess, db: Database, dataDir: string, sizes: Sizes) {
  const { users, posts, tickets, plans } = sizes;
  const args = ['--users', String(users), '--posts', String(posts), '--seed', 'hard'];
  const seeded = await runProgram(SEED_PROGRAM, args, { DATA_DIR: dataDir });
  if (seeded.code !== 0) throw new Error(`The data could not be made: ${seeded.stderr}`);
  await insertCurrency(db, 'usd');
  for (let made = 0; made < plans; made += 1) {
    await server.call(planCreate, { body: planBody({ name: `hard-${made}` }) });
  }
  const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  // A number in base 32, so that no code comes twice.
  await db.execute(sql`
    insert into tickets (id, code, plan_id, issuer_id, valid_days)
    select new_row_id(), '2222-2222-' || letters.four || '-' || letters.more, plan.id, issuer.id, 30
    from generate_series(1, ${tickets}::int) as n,
      lateral (select
        string_agg(substr(${alphabet}, (n >> (5 * place)) % 32 + 1, 1), '') filter (where place < 4) as four,
        string_agg(substr(${alphabet}, (n >> (5 * place - 20)) % 32 + 1, 1), '') filter (where place >= 4) as more
        from generate_series(0, 7) as place) as letters,
      (select id from plans limit 1) as plan, (select id from admins limit 1) as issuer`);
  await db.execute(sql`analyze`);
}

async function mixOf(db: Database, seed: string): Promise<() => Ask> {
  const idsOf = async (query: ReturnType<typeof sql>) =>
    (await db.many<{ id: string }>(query)).map(({ id }) => id);
  const posts = await idsOf(
    sql`select id from posts where status in ('PENDING', 'CANCELLED', 'PROCESSING') limit 2000`,
  );
  const users = await idsOf(sql`select id from users limit 2000`);
  const plans = await idsOf(sql`select id from plans limit 50`);
  const random = createRandom(seed);
  const reads: (() => Ask)[] = [
    () => get(`posts?limit=20&offset=${random.int(0, 40) * 20}`),
    () => get(`posts/${random.pick(posts)}`),
    () => get(`users?limit=20&offset=${random.int(0, 40) * 20}`),
    () => get(`users/${random.pick(users)}`),
    () => get(`plans/${random.pick(plans)}`),
    () => get('settings'),
    () => get('stats'),
    () => get('auth/me'),
  ];
  const changes: (() => Ask)[] = [
    () => change(`posts/${random.pick(posts)}`, { status: random.pick(['PENDING', 'PROCESSING']) }),
    () => change(`users/${random.pick(users)}`, { status: random.pick(['ACTIVE', 'RESTRICTED']) }),
    () => ({
      method: 'POST',
      path: '/api/admin/tickets/issue',
      body: { planId: random.pick(plans), validDays: 30 },
    }),
  ];
  return () => random.pick(random.chance(0.2) ? changes : reads)();
}

function get(path: string): Ask {
  return { method: 'GET', path: `/api/admin/${path}` };
}

function change(path: string, body: object): Ask {
  return { method: 'PATCH', path: `/api/admin/${path}`, body };
}
