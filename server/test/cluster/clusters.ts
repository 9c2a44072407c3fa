import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { SUPERUSER } from '@meridian/embedded-postgres/cluster';
import { Client } from 'pg';
import { makeScratchFolder } from './scratch-folder.ts';
import { startTcpServer } from './tcp-server.ts';
import { createTemplate } from './template.ts';

/** The two ways Meridian meets PostgreSQL: its own, and a server run elsewhere. */
export type Engine = 'embedded' | 'server';

/** For each engine a connection that may create databases; the template is there already. */
export type ClusterAddresses = Record<Engine, string>;

export type Clusters = { addresses: ClusterAddresses; stop(): Promise<void> };

// Tests lose nothing in a crash, so they need not wait for the disk.
const THROWAWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // Races take forty each, and several files of them run at once.
  max_connections: '250',
};

/** Both clusters end with this process, however it ends. */
export async function startClusters(): Promise<Clusters> {
  const scratch = await makeScratchFolder();
  const [embedded, server] = await Promise.all([
    startEmbeddedDatabase({
      dataDir: join(scratch, 'embedded'),
      purpose: 'serve',
      settings: THROWAWAY,
      onNotice: (message) => process.stderr.write(`${message}\n`),
    }),
    startTcpServer(join(scratch, 'server'), THROWAWAY),
  ]);
  const { host, port, user } = embedded.connection;
  const administrator = new Client({ host, port, user: SUPERUSER, database: 'postgres' });
  await administrator.connect();
  await administrator.query(`alter role ${user} createdb`);
  await administrator.query(
    `grant set on parameter session_replication_role, temp_file_limit to ${user}`,
  );
  await administrator.end();
  const addresses = {
    embedded: `postgresql://${user}@${encodeURIComponent(host)}:${port}/postgres`,
    server: server.connectionString,
  };
  await Promise.all(Object.values(addresses).map(createTemplate));
  return {
    addresses,
    async stop() {
      await Promise.all([embedded.stop(), server.stop()]);
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
