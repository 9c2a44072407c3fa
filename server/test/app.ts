import { randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '../src/app.ts';
import type { AppOptions } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createContext } from '../src/services.ts';
import type { Context } from '../src/services.ts';
import type { Database } from '../src/db/database.ts';
import { latestVersion } from '../src/db/migrate.ts';
import { findAdmin, insertAdmin } from '../src/features/administrators/administrators.store.ts';
import { hashPassword } from '../src/features/passwords/passwords.ts';
import { resolver } from '../src/features/pictures/testing/picture-host.ts';
import { hashToken, newToken } from '../src/features/sessions/sessions.service.ts';
import { insertSession } from '../src/features/sessions/sessions.store.ts';
import { createFoundation } from '../src/foundation.ts';
import { createLog } from '../src/log.ts';
import type { LiveNetwork } from '../src/network/oauth/live-network.ts';
import { createObjectStore } from '../src/objects/object-store.ts';
import { callOn } from './call.ts';
import type { Call } from './call.ts';
import type { Engine } from './cluster/clusters.ts';
import { stopClock } from './cluster/stopped-clock.ts';
import { createTestDatabase } from './cluster/test-database.ts';
import { PATIENT } from './patient.ts';
import { insertCurrency } from './plan-fixtures.ts';

export const ENGINES = ['embedded', 'server'] as const satisfies readonly Engine[];
/**
 * For what sends the same statements to both: the server, which is the older PostgreSQL and whose role
 * may do less. The long run takes both.
 */
export const EITHER: readonly Engine[] = process.env['BOTH_DATABASES'] ? ENGINES : ['server'];

export type SignedIn = { token: string; adminId: string; username: string; password: string };

export type TestApp = {
  app: FastifyInstance;
  db: Database;
  context: Context;
  dataDir: string;
  /** Everything logged so far, as the JSON lines it would be. */
  logged: string[];
  /** A new administrator with a live session, without the cost of a login. */
  signIn(username?: string): Promise<SignedIn>;
  /** Makes a call of the contract; an answer that breaks its schema fails the test. */
  call: Call;
  close(): Promise<void>;
};

export type TestAppOptions = {
  env?: Record<string, string>;
  consoleDir?: URL;
  meDir?: URL;
  pictures?: NonNullable<AppOptions['pictures']>;
  /** Without the default currency of a plan, for what fills an empty database. */
  isEmpty?: boolean;
  /** The live network, from a host on this machine. */
  openLive?: (foundation: ReturnType<typeof createFoundation>) => Promise<LiveNetwork>;
  /** The database reads the time that `pass` sets. */
  isClockStopped?: boolean;
};

// Tests call far more often than people do.
const FOR_TESTS = { LOG_LEVEL: 'info', SESSION_RATE_LIMIT: '0' };
/** No test asks another host unless it brings one. */
const UNREACHABLE = { network: { addresses: 'public' as const, resolve: resolver(() => null) } };
const PASSWORD = 'correct horse battery';
let hashed: Promise<string> | undefined;

/** The whole app on a database of its own. `close` drops the database. */
export async function startTestApp(engine: Engine, options: TestAppOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase(engine);
  if (options.isClockStopped) await stopClock(database.connectionString);
  const dataDir = await mkdtemp(join(tmpdir(), 'meridian-test-'));
  const config = readConfig({ ...FOR_TESTS, DATA_DIR: dataDir, ...options.env });
  const logged: string[] = [];
  const log = createLog(config.logLevel, { write: (line) => logged.push(line) });
  const foundation = createFoundation({
    config,
    log,
    connection: { connectionString: database.connectionString, ...PATIENT },
    objects: createObjectStore(config.objectStore),
    schemaVersion: await latestVersion(),
  });
  const live = (await options.openLive?.(foundation)) ?? null;
  const context = createContext({ ...foundation, live });
  if (options.isEmpty !== true) await insertCurrency(context.db, 'usd');
  const consoleDir = options.consoleDir ?? pathToFileURL(`${dataDir}/no-console/`);
  const { pictures = UNREACHABLE, meDir } = options;
  const pages = { consoleDir, ...(meDir && { meDir }) };
  const app = await buildApp({ config, log, context, ...pages, pictures });

  return {
    app,
    db: context.db,
    context,
    dataDir,
    logged,
    signIn: (username) => signIn(context.db, username ?? `admin-${randomUUIDv7().slice(-12)}`),
    call: callOn(app),
    async close() {
      await app.close();
      await live?.close();
      await context.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** One for all tests of a block: it starts before the first and closes after the last. */
export function setUpApp(engine: Engine, options?: TestAppOptions): TestApp {
  const api = {} as TestApp; // filled before any test reads it
  beforeAll(async () => void Object.assign(api, await startTestApp(engine, options)));
  afterAll(() => api.close());
  return api;
}

async function signIn(db: Database, username: string): Promise<SignedIn> {
  // One hash serves all: it costs more than the rest of a test together.
  hashed ??= hashPassword(PASSWORD);
  const token = newToken();
  await insertAdmin(db, { id: randomUUIDv7(), username, passwordHash: await hashed });
  const admin = await findAdmin(db, username);
  if (admin === null) throw new Error('The administrator just made is not there');
  await insertSession(db, { tokenHash: hashToken(token), admin, maxSeconds: 3600 });
  return { token, adminId: admin.id, username, password: PASSWORD };
}
