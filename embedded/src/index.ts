import { resolve } from 'node:path';
import { ensureDatabase } from './application-database.ts';
import type { SocketConnection } from './application-database.ts';
import { findBinaries } from './binaries.ts';
import { claim } from './claim.ts';
import { DATABASE_USER, ensureCluster } from './cluster.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { prepareHome } from './folders.ts';
import type { PostmasterSpec } from './postmaster.ts';
import { ownerSetting } from './postmaster-record.ts';
import { prepareSocketFolder, SOCKET_PORT } from './socket-folder.ts';
import { supervise } from './supervise.ts';
import type { Supervised } from './supervise.ts';

export { EmbeddedDatabaseError } from './errors.ts';
export { hasDatabase } from './folders.ts';

const DATABASE = 'meridian';

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
  connection: SocketConnection;
  /** An owner stops PostgreSQL when it stops; a guest leaves it running. */
  role: 'owner' | 'guest';
  /** The PostgreSQL process; another one after a crash. */
  readonly pid: number;
  stop(): Promise<void>;
};

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
  if (claimed.role === 'guest') {
    const { pid, socketFolder: host, port } = claimed.record;
    const connection = { host, port, user: DATABASE_USER, database: DATABASE };
    // The owner may have started PostgreSQL and not yet created the database.
    await ensureDatabase(connection);
    return { connection, role: 'guest', pid, stop: async () => {} };
  }
  const supervised = supervise(spec, claimed.postmaster);
  return openOwned(spec, supervised);
}

async function openOwned(spec: PostmasterSpec, supervised: Supervised): Promise<EmbeddedDatabase> {
  const host = spec.settings['unix_socket_directories'] ?? '';
  const connection = { host, port: SOCKET_PORT, user: DATABASE_USER, database: DATABASE };
  try {
    await ensureDatabase(connection);
  } catch (error) {
    await supervised.stop();
    throw error;
  }
  return {
    connection,
    role: 'owner',
    get pid() {
      return supervised.pid;
    },
    stop: () => supervised.stop(),
  };
}

async function prepare(options: EmbeddedDatabaseOptions): Promise<PostmasterSpec> {
  const onNotice = options.onNotice ?? (() => {});
  const home = await prepareHome(resolve(options.dataDir), onNotice);
  const binaries = await findBinaries(home);
  const dataFolder = await ensureCluster(home, binaries);
  const settings = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: await prepareSocketFolder(home),
    unix_socket_permissions: '0700',
    max_connections: '50',
    shared_buffers: '128MB',
    ...options.settings,
    ...Object.fromEntries([await ownerSetting(options.purpose)]),
  };
  return { home, binaries, dataFolder, settings, onNotice };
}
