import { relative } from 'node:path';
import { makeFolder } from '@meridian/embedded-postgres/make-folder';
import type { ClientConfig } from 'pg';
import { box } from './banner.ts';
import type { Closers } from './closers.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { startCounterTask } from './counters/counter-task.ts';
import { requireDataDir } from './data-dir.ts';
import { sql } from './db/sql.ts';
import { deleteOldKeys } from './idempotency/keys.store.ts';
import { listen, requireFreePort } from './listen.ts';
import { createLog } from './log.ts';

export type StartOptions = {
  say: (line: string) => void;
  isTTY: boolean;
  closers: Closers;
};

const CONSOLE_DIR = new URL('../../console/dist/', import.meta.url);
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** From the environment to a listening server; throws one sentence for the operator. */
export async function start(env: NodeJS.ProcessEnv, options: StartOptions): Promise<void> {
  const { say, closers } = options;
  const config = readConfig(env, options);
  const log = createLog(config.logLevel);
  if (process.getuid?.() === 0) {
    say('Meridian runs as root; start it as an account of its own instead.');
  }
  // What can be refused is refused before anything is created.
  if (config.upstreamApi === null) await requireDataDir(config.dataDir);
  await requireFreePort(config);
  // Loads while the database starts.
  const modules = Promise.all([import('./app.ts'), import('./context.ts')]);

  let context: Context | null = null;
  if (config.upstreamApi === null) {
    const { createObjectStore } = await import('./objects/object-store.ts');
    const objects = createObjectStore(config.objectStore);
    const connection = await openDatabase(config, options);
    const { migrate } = await import('./db/migrate.ts');
    const schema = await migrate(connection, { log: say, mustBeWritable: true });
    await makeFolder(config.dataDir, 0o700);
    say(`Schema is up to date (version ${schema.version}).`);
    const [, { createContext }] = await modules;
    context = createContext({ config, log, connection, objects, schemaVersion: schema.version });
    closers.add(() => context?.close() ?? Promise.resolve());
    await makeFirstAdmin(context, options);
    await context.signInLimits.loadKnownNetworks();
    await seedDemo(context, connection, options);
    keepHouse(context);
    const folding = startCounterTask(context.db, log);
    closers.add(() => folding.stop());
  }

  const [{ buildApp }] = await modules;
  const [app, account] = await Promise.all([
    buildApp({ config, log, context, consoleDir: CONSOLE_DIR }),
    context === null ? [] : accountRows(context),
  ]);
  const address = await listen(app, config, closers);
  const upstream: [string, string][] =
    config.upstreamApi === null
      ? []
      : [
          [
            'Calls go to',
            config.upstreamApi.origin + config.upstreamApi.pathname.replace(/\/$/, ''),
          ],
        ];
  say(box('Meridian is ready', [['Address', address], ...upstream, ...account]));
}

async function openDatabase(config: Config, { say, closers }: StartOptions): Promise<ClientConfig> {
  if (config.database.url !== null) {
    say('Using the PostgreSQL server of DATABASE_URL.');
    return { connectionString: config.database.url };
  }
  say(`Opening the database in ${shown(config.dataDir)}.`);
  const { startEmbeddedDatabase } = await import('@meridian/embedded-postgres');
  const embedded = await startEmbeddedDatabase({
    dataDir: config.dataDir,
    purpose: 'serve',
    onNotice: say,
  });
  closers.add(() => embedded.stop());
  return embedded.connection;
}

async function makeFirstAdmin(context: Context, { say }: StartOptions): Promise<void> {
  const { ensureFirstAdministrator } =
    await import('./features/administrators/first-administrator.ts');
  const isNew = await ensureFirstAdministrator(firstAdminOf(context));
  if (isNew) say(`Made the first administrator, ${context.config.firstAdmin.username}.`);
}

async function seedDemo(
  { config, db, objects }: Context,
  connection: ClientConfig,
  { say }: StartOptions,
): Promise<void> {
  if (!config.demoData) return;
  const { found } = await db.one<{ found: boolean }>(
    sql`select exists (select from users) as found`,
  );
  // Spares every later start the loading of what it would not use.
  if (found) return;
  const { seedDemoData } = await import('./seed/demo-data.ts');
  const result = await seedDemoData({
    connection,
    store: objects,
    now: new Date(),
    onProgress: (step) => say(`Demonstration data: ${step}.`),
  });
  if (result.isSeeded) {
    say(`Demonstration data: ${result.users} users and ${result.posts} posts are in place.`);
  }
}

async function accountRows(context: Context): Promise<[string, string][]> {
  const { isInitialPasswordValid } =
    await import('./features/administrators/first-administrator.ts');
  const { username, password } = context.config.firstAdmin;
  const isInNote = await isInitialPasswordValid(firstAdminOf(context));
  const chosen = password === null ? 'as it was set' : 'as in ADMIN_PASSWORD, unless changed since';
  return [
    ['User name', username],
    ['Password', isInNote ? `in ${shown(context.initialPassword.path)}` : chosen],
  ];
}

function firstAdminOf({ db, config, initialPassword: file }: Context) {
  const { passwordMinLength } = config;
  return { db, file, passwordMinLength, ...config.firstAdmin };
}

function keepHouse({ sessions, signInLimits, db, log }: Context): void {
  const every = (ms: number, tidy: () => Promise<unknown>) => {
    const run = () => {
      tidy().catch((error: unknown) => {
        log.warn({ err: error }, 'What is of no use any more could not be deleted');
      });
    };
    setInterval(run, ms).unref();
  };
  every(HOUR_MS, () => Promise.all([sessions.deleteEnded(), deleteOldKeys(db)]));
  // In an hour a flood of invented names would leave counters without number.
  every(MINUTE_MS, () => signInLimits.deleteOld());
}

/** As the operator would type it from here. */
function shown(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : `./${fromHere}`;
}
