import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { DATABASE, DATABASE_USER, ensureCluster, giveDatabase } from './cluster.ts';
import { EmbeddedDatabaseError, plainReason } from './errors.ts';
import { prepareHome, prepareSocketFolder, SOCKET_PORT } from './folders.ts';
import { isAccepting, launch, readPostmaster } from './postmaster.ts';
import type { Postmaster, PostmasterRecord, PostmasterSpec } from './postmaster.ts';
import { sendSignal, startTimeOf } from './processes.ts';

export { EmbeddedDatabaseError } from './errors.ts';
export { hasDatabase } from './folders.ts';

export type EmbeddedDatabaseOptions = {
  /** The database lives in its subfolder `postgres`. */
  dataDir: string;
  /** A server must own the folder; a command-line tool may share the database of a running server. */
  purpose: 'serve' | 'tool';
  /** PostgreSQL settings beyond ours; never fsync and similar ones outside of tests. */
  settings?: Record<string, string>;
  /** Messages for the operator, one sentence each. */
  onNotice?: (message: string) => void;
};

export type EmbeddedDatabase = {
  connection: { host: string; port: number; user: string; database: string };
  /** An owner stops PostgreSQL when it stops; a guest leaves it running. */
  role: 'owner' | 'guest';
  /** The PostgreSQL process; another one after a crash. */
  readonly pid: number;
  stop(): Promise<void>;
};

const RETRY_MS = 50;
const TROUBLED_MS = 5_000;
// A server that is stopping (an overlapping restart) is waited for this long.
const LEAVING_MS = 3_000;
const LIMIT_MS = 60_000;
// The watchdog of a killed server acts much sooner; after this time it counts as dead too.
const ORPHAN_GRACE_MS = 2_000;

/** Opens the PostgreSQL under `dataDir`: installs nothing, makes the database on the first start. */
export async function startEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new EmbeddedDatabaseError(
      'no-binaries',
      'The embedded database does not run on Windows; set DATABASE_URL to a PostgreSQL server.',
    );
  }
  const spec = await prepare(options);
  const claimed = await claim(spec, options.purpose);
  const name = { user: DATABASE_USER, database: DATABASE };
  if ('socketFolder' in claimed) {
    const { pid, socketFolder: host, port } = claimed;
    return { connection: { host, port, ...name }, role: 'guest', pid, stop: async () => {} };
  }
  const host = spec.settings['unix_socket_directories'] ?? '';
  const connection = { host, port: SOCKET_PORT, ...name };
  return Object.assign(supervise(spec, claimed), { connection, role: 'owner' as const });
}

async function prepare(options: EmbeddedDatabaseOptions): Promise<PostmasterSpec> {
  const onNotice = options.onNotice ?? (() => {});
  const home = await prepareHome(resolve(options.dataDir), onNotice);
  const binaries = await findBinaries(home);
  const settings = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: await prepareSocketFolder(home),
    unix_socket_permissions: '0700',
    max_connections: '50',
    shared_buffers: '128MB',
    ...options.settings,
    // As a setting it appears and disappears with its postmaster: a second file could be stale.
    'meridian.owner': `${options.purpose}/${process.pid}/${await startTimeOf(process.pid)}`,
  };
  return { home, binaries, dataFolder: await ensureCluster(home, binaries), settings, onNotice };
}

/**
 * Becomes the only owner of the folder, or answers the record of its present owner's postmaster.
 * PostgreSQL's own lock file settles the race. The owner recorded in the running postmaster tells a
 * live server from one that was killed, whose PostgreSQL is about to stop.
 */
async function claim(
  spec: PostmasterSpec,
  purpose: EmbeddedDatabaseOptions['purpose'],
): Promise<Postmaster | PostmasterRecord> {
  const startedAt = performance.now();
  let orphan: number | undefined;
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    const record = await readPostmaster(spec.dataFolder);
    const isAlive = (await startTimeOf(record?.owner?.pid ?? 0)) === record?.owner?.startTime;
    const owner = isAlive ? record?.owner : undefined;
    const isServing = record !== undefined && (await isAccepting(record));
    if (isServing && owner !== undefined) {
      if (purpose === 'tool') return record;
      if (elapsedMs > LEAVING_MS) throw inUse(spec, owner);
    } else if (isServing && elapsedMs > ORPHAN_GRACE_MS && orphan !== record.pid) {
      orphan = record.pid;
      spec.onNotice('A database left behind by a server that is gone is being stopped first.');
      sendSignal(orphan, 'SIGINT');
    } else if (!isServing && (owner === undefined || owner.pid === process.pid)) {
      await giveDatabase(spec.dataFolder, spec.home, spec.binaries);
      const postmaster = await launch(spec);
      if (postmaster !== 'locked') return postmaster;
    }
    if (elapsedMs > LIMIT_MS) throw inUse(spec, undefined);
    await delay(RETRY_MS);
  }
}

function inUse({ home }: PostmasterSpec, owner: PostmasterRecord['owner']): EmbeddedDatabaseError {
  const isServer = owner?.purpose === 'serve';
  const what = isServer ? 'another Meridian server' : 'a Meridian command that is still running';
  const who = owner === undefined ? 'another process' : `${what} (process ${owner.pid})`;
  const sentence = `The database folder ${home.folder} is in use by ${who}.`;
  return new EmbeddedDatabaseError('in-use', sentence);
}

/** Starts PostgreSQL again whenever it ends unexpectedly, until `stop` is called. */
function supervise(spec: PostmasterSpec, first: Postmaster) {
  let current = first;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Unreferenced: waiting for the next attempt must not keep the process alive.
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => undefined);

  const watch = async (): Promise<void> => {
    const how = await current.ended;
    if (signal.aborted) return undefined;
    spec.onNotice(`The database ended unexpectedly (${how}) and is started again.`);
    for (let next: Postmaster | 'locked' = 'locked'; next === 'locked';) {
      if (signal.aborted) return undefined;
      next = await launch(spec).catch(async (error: unknown) => {
        spec.onNotice(plainReason(error));
        await pause(TROUBLED_MS);
        return 'locked' as const;
      });
      if (next === 'locked') await pause(RETRY_MS);
      else current = next;
    }
    if (!signal.aborted) spec.onNotice('The database runs again.');
    return watch();
  };
  const watching = watch();

  return {
    get pid() {
      return current.pid;
    },
    async stop() {
      stopping.abort();
      await current.stop();
      // A launch under way finishes first, so that no PostgreSQL is left running.
      await watching;
      await current.stop();
    },
  };
}
