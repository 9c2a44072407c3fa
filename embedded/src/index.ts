import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_USER, ensureCluster, giveDatabase } from './cluster.ts';
import { EmbeddedDatabaseError, makePrivate, orRefuse, plainReason } from './folders.ts';
import { prepareHome, SOCKET_PORT, socketFolderOf } from './folders.ts';
import { launch, readPostmaster } from './postmaster.ts';
import type { Postmaster, PostmasterRecord, PostmasterSpec } from './postmaster.ts';

export { EmbeddedDatabaseError, hasDatabase } from './folders.ts';

export type EmbeddedDatabaseOptions = {
  dataDir: string;
  /** A server must own the folder; a command-line tool may share the database of a running server. */
  purpose: 'serve' | 'tool';
  /** Settings such as fsync are never given outside of tests. */
  settings?: Record<string, string>;
  onNotice?: (message: string) => void;
};

export type EmbeddedDatabase = {
  connection: { host: string; port: number; user: string; database: string };
  role: 'owner' | 'guest';
  readonly pid: number;
  stop(): Promise<void>;
};

const RETRY_MS = 50;
const TROUBLED_MS = 5_000;
const LEAVING_MS = 3_000;
const ORPHAN_GRACE_MS = 2_000;
const LIMIT_MS = 60_000;
const ON_WINDOWS =
  'The embedded database does not run on Windows; set DATABASE_URL to a PostgreSQL server.';

export async function startEmbeddedDatabase(
  options: EmbeddedDatabaseOptions,
): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') throw new EmbeddedDatabaseError('no-binaries', ON_WINDOWS);
  const { purpose, onNotice = () => {} } = options;
  const home = await prepareHome(resolve(options.dataDir), onNotice);
  const cluster = await ensureCluster(home);
  const host = socketFolderOf(home.folder);
  await orRefuse(host, () => makePrivate(host, home.runAs));
  const settings = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: host,
    unix_socket_permissions: '0700',
    max_connections: '50',
    shared_buffers: '128MB',
    ...options.settings,
    // As a setting it appears and disappears with its postmaster: a second file could be stale.
    'meridian.owner': `${purpose}/${process.pid}`,
  };
  const spec = { ...cluster, settings, onNotice };
  const connection = { host, port: SOCKET_PORT, user: DATABASE_USER, database: DATABASE_USER };
  const claimed = await claim(spec, purpose);
  if ('ended' in claimed) {
    return Object.assign(supervise(spec, claimed), { connection, role: 'owner' as const });
  }
  return { connection, role: 'guest', pid: claimed.pid, stop: async () => {} };
}

/** PostgreSQL's own lock file settles the race between two owners. */
async function claim(spec: PostmasterSpec, purpose: 'serve' | 'tool') {
  const startedAt = performance.now();
  let isTold = false;
  for (;;) {
    const elapsedMs = performance.now() - startedAt;
    const record = await readPostmaster(spec);
    const owner = record?.owner;
    if (record?.isServing && owner) {
      if (purpose === 'tool') return record;
      if (elapsedMs > LEAVING_MS) throw inUse(spec, owner);
    } else if (record?.isServing) {
      if (!isTold && elapsedMs > ORPHAN_GRACE_MS) {
        spec.onNotice('A database left behind by a server that is gone is being stopped first.');
        isTold = true;
      }
    } else if (!owner || owner.pid === process.pid || elapsedMs > LEAVING_MS) {
      const postmaster = (await giveDatabase(spec)) ? await launch(spec) : 'locked';
      if (postmaster !== 'locked') return postmaster;
    }
    if (elapsedMs > LIMIT_MS) throw inUse(spec);
    await delay(RETRY_MS);
  }
}

function inUse({ folder }: PostmasterSpec, owner?: PostmasterRecord['owner']) {
  const command = 'a Meridian command that is still running';
  const what = owner?.isServer ? 'another Meridian server' : command;
  const who = owner === undefined ? 'another process' : `${what} (process ${owner.pid})`;
  return new EmbeddedDatabaseError('in-use', `The database folder ${folder} is in use by ${who}.`);
}

function supervise(spec: PostmasterSpec, first: Postmaster) {
  let current = first;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    const how = await current.ended;
    if (signal.aborted) return undefined;
    spec.onNotice(`The database ended unexpectedly (${how}) and is started again.`);
    const ended = current;
    while (current === ended && !signal.aborted) {
      try {
        const next = await claim(spec, 'serve');
        if ('ended' in next) current = next;
      } catch (error) {
        spec.onNotice(plainReason(error));
        // The timer is unreferenced: waiting for the next attempt must not keep the process alive.
        await delay(TROUBLED_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
    if (signal.aborted) return undefined;
    spec.onNotice('The database runs again.');
    return watch();
  }
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
