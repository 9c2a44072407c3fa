import { makeFolder } from '@meridian/embedded-postgres/folders';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import type { Closers } from './background-task.ts';
import type { Config } from './config.ts';
import { requireDataDir, shownPath } from './config/parsers.ts';
import { openDatabase } from './db/database.ts';
import { sql } from './db/sql.ts';
import { createWriteCheck } from './db/write-check.ts';
import type { LiveNetwork } from './network/oauth/live-network.ts';
import type { ObjectStore } from './objects/objects.ts';

export type Foundation = ReturnType<typeof createFoundation> & {
  live: LiveNetwork | null;
};

export function createFoundation(options: {
  config: Config;
  log: Logger;
  connection: ClientConfig;
  objects: ObjectStore;
  schemaVersion: number;
}) {
  const { config, log, connection, objects, schemaVersion } = options;
  const writeCheck = createWriteCheck(
    openDatabase(connection, {
      maxConnections: config.database.poolSize,
      onError: (error) => log.warn({ err: error }, 'A database connection broke'),
    }),
  );
  const db = writeCheck.watched;
  return {
    config,
    log,
    connection,
    db,
    objects,
    async notReadyReason() {
      const { version } = await db.one<{ version: number | null }>(
        sql`select max(version) as version from schema_migrations`,
      );
      const isCurrent = version !== null && version >= schemaVersion;
      return isCurrent ? writeCheck.problem() : ('schema' as const);
    },
    close: () => db.close(),
  };
}

const OTHER_CONNECTIONS = 40;

type OpenOptions = {
  log: Logger;
  say: (line: string) => void;
  closers: Closers;
};

export async function openFoundation(config: Config, options: OpenOptions): Promise<Foundation> {
  const { log, say, closers } = options;
  const liveNetwork =
    config.network === 'live' ? await import('./network/oauth/live-network.ts') : null;
  liveNetwork?.liveSettingsOf(config);
  await requireDataDir(config.dataDir);
  const { createObjectStore, probeObjectStore } = await import('./objects/object-store.ts');
  const objects = createObjectStore(config.objectStore);
  const storeError = await probeObjectStore(config.objectStore);
  if (storeError !== null) log.warn({ err: storeError }, 'The object store cannot be read');
  const connection = await connectionOf(config, options);
  const { migrate } = await import('./db/migrate.ts');
  const { version: schemaVersion } = await migrate(connection, { log: say, mustBeWritable: true });
  await makeFolder(config.dataDir, 0o700);
  say(`Schema is up to date (version ${schemaVersion}).`);
  const foundation = createFoundation({ config, log, connection, objects, schemaVersion });
  closers.add(() => foundation.close());
  if (liveNetwork === null) return { ...foundation, live: null };
  const live = await liveNetwork.openLive(foundation, say);
  closers.add(() => live.close());
  return { ...foundation, live };
}

async function connectionOf(
  { database, dataDir }: Config,
  { say, closers }: OpenOptions,
): Promise<ClientConfig> {
  if (database.url !== null) {
    say('Using the PostgreSQL server of DATABASE_URL.');
    return { connectionString: database.url };
  }
  say(`Opening the database in ${shownPath(dataDir)}.`);
  const { startEmbeddedDatabase } = await import('@meridian/embedded-postgres');
  const embedded = await startEmbeddedDatabase({
    dataDir,
    purpose: 'serve',
    settings: { max_connections: String(database.poolSize + OTHER_CONNECTIONS) },
    onNotice: say,
  });
  closers.add(() => embedded.stop());
  return embedded.connection;
}
