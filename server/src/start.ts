import type { Logger } from 'pino';
import { startBackgroundTask } from './background-task.ts';
import type { Closers } from './background-task.ts';
import { readConfig } from './config.ts';
import type { Config } from './config.ts';
import { shownPath } from './config/parsers.ts';
import { startCounterTask } from './counters/counters.ts';
import { patiently } from './db/errors.ts';
import { sql } from './db/sql.ts';
import type { Engine } from './engine/engine.ts';
import { openFoundation } from './foundation.ts';
import type { Foundation } from './foundation.ts';
import { deleteOldKeys } from './http/idempotency.ts';
import { listen, requireFreePort } from './listen.ts';
import { createLog } from './log.ts';
import type { Network } from './network/network.ts';
import { ObjectStoreError } from './objects/objects.ts';
import { startFurtherPosts } from './seed/demo-data.ts';
import type { Context } from './services.ts';
import { readVersion } from './version.ts';

export type StartOptions = {
  say: (line: string) => void;
  isTTY: boolean;
  closers: Closers;
};

const CONSOLE_DIR = new URL('../../console/dist/', import.meta.url);
const ME_DIR = new URL('../../me/dist/', import.meta.url);
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

export async function start(env: NodeJS.ProcessEnv, options: StartOptions): Promise<void> {
  const { say, closers } = options;
  const config = readConfig(env, options);
  const log = createLog(config.logLevel);
  if (process.getuid?.() === 0) {
    say('Meridian runs as root; start it as an account of its own instead.');
  }
  await requireFreePort(config);
  const loadingApp = import('./app.ts');

  const context = config.upstreamApi === null ? await openContext(config, log, options) : null;
  if (context !== null) {
    await createFirstAdministrator(context, options);
    await patiently(() => context.signInLimits.loadKnownNetworks());
    await seedDemoData(context, options);
    startBackgroundTasks(context, closers);
  }
  const engine = context === null ? null : await startEngineOf(context, closers);
  if (context !== null) await startJobsOf(context, closers);

  const { buildApp } = await loadingApp;
  const [app, account] = await Promise.all([
    buildApp({ config, log, context, engine, consoleDir: CONSOLE_DIR, meDir: ME_DIR }),
    context === null ? [] : accountRows(context),
  ]);
  const address = await listen(app, config, closers);
  say(box('Meridian is ready', [['Address', address], ...upstreamRows(config), ...account]));
}

async function openContext(config: Config, log: Logger, options: StartOptions): Promise<Context> {
  const loadingContext = import('./services.ts');
  const foundation = await openFoundation(config, { ...options, log });
  const { createContext } = await loadingContext;
  return createContext(foundation);
}

async function createFirstAdministrator(context: Context, { say }: StartOptions): Promise<void> {
  const { ensureFirstAdministrator } =
    await import('./features/administrators/first-administrator.ts');
  const isNew = await patiently(() => ensureFirstAdministrator(firstAdministratorOf(context)));
  if (isNew) say(`Made the first administrator, ${context.config.firstAdmin.username}.`);
}

function firstAdministratorOf({ db, config, initialPassword: file }: Context) {
  return { db, file, passwordMinLength: config.passwordMinLength, ...config.firstAdmin };
}

async function seedDemoData(
  { config, connection, db, objects }: Context,
  { say }: StartOptions,
): Promise<void> {
  if (!config.demoData) return;
  const { found } = await patiently(() =>
    db.one<{ found: boolean }>(sql`select exists (select from users) as found`),
  );
  if (found) return;
  const { seedDemoData: seed } = await import('./seed/demo-data.ts');
  try {
    const result = await seed({
      connection,
      store: objects,
      now: new Date(),
      onProgress: (step) => say(`Demonstration data: ${step}.`),
    });
    if (result.isSeeded) {
      say(`Demonstration data: ${result.users} users and ${result.posts} posts are in place.`);
    }
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error;
    say('Demonstration data: left out, because the object store takes no pictures.');
  }
}

function startBackgroundTasks(context: Context, closers: Closers): void {
  const { db, log, sessions, memberSessions, signInLimits } = context;
  const tasks = [
    startCounterTask(db, log),
    startBackgroundTask({
      name: 'delete ended sessions and old idempotency keys',
      intervalMs: HOUR_MS,
      log,
      run: () =>
        Promise.all([sessions.deleteEnded(), memberSessions.deleteExpired(), deleteOldKeys(db)]),
    }),
    startBackgroundTask({
      name: 'delete old sign-in counters',
      // In an hour a flood of invented names could fill the disk.
      intervalMs: MINUTE_MS,
      log,
      run: () => signInLimits.deleteOld(),
    }),
  ];
  const { demoData, network, isEngineOn } = context.config;
  if (demoData && network === 'local' && isEngineOn) tasks.push(startFurtherPosts(db, log));
  for (const task of tasks) closers.add(() => task.stop());
}

export async function startEngineOf(
  foundation: Foundation,
  closers: Closers,
): Promise<Engine | null> {
  const { config, connection, log, objects } = foundation;
  if (!config.isEngineOn || config.network === 'off') return null;
  const [{ startEngine }, network] = await Promise.all([
    import('./engine/engine.ts'),
    networkOf(foundation),
  ]);
  const { engine: options } = config;
  const version = await readVersion();
  const engine = await startEngine({ connection, network, objects, options, log, version });
  closers.add(() => engine.stop());
  return engine;
}

async function networkOf({ db, live }: Foundation): Promise<Network> {
  if (live !== null) return live.network;
  const { createLocalNetwork } = await import('./network/local/local-network.ts');
  return createLocalNetwork(db);
}

export async function startJobsOf(foundation: Foundation, closers: Closers): Promise<void> {
  const { startJobRunner } = await import('./jobs/jobs.ts');
  const runner = await startJobRunner(foundation);
  closers.add(() => runner.stop());
}

async function accountRows(context: Context): Promise<[string, string][]> {
  const { isInitialPasswordValid } =
    await import('./features/administrators/first-administrator.ts');
  const { username, password } = context.config.firstAdmin;
  const isInFile = await patiently(() => isInitialPasswordValid(firstAdministratorOf(context)));
  const chosen = password === null ? 'as it was set' : 'as in ADMIN_PASSWORD, unless changed since';
  return [
    ['User name', username],
    ['Password', isInFile ? `in ${shownPath(context.initialPassword.path)}` : chosen],
  ];
}

function upstreamRows({ upstreamApi }: Config): [string, string][] {
  if (upstreamApi === null) return [];
  return [['Calls go to', upstreamApi.origin + upstreamApi.pathname.replace(/\/$/, '')]];
}

function box(title: string, rows: readonly (readonly [string, string])[]): string {
  const labelWidth = Math.max(...rows.map(([label]) => label.length)) + 3;
  const lines = [title, '', ...rows.map(([label, text]) => label.padEnd(labelWidth) + text)];
  const width = Math.max(...lines.map((line) => line.length));
  const bar = '─'.repeat(width + 4);
  return [
    '',
    `┌${bar}┐`,
    ...lines.map((line) => `│  ${line.padEnd(width)}  │`),
    `└${bar}┘`,
    '',
  ].join('\n');
}
