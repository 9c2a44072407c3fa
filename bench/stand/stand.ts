import type { Closers } from '../../server/src/closers.ts';
import { HttpConnection } from '../measure/http-connection.ts';
import type { HttpRequest } from '../measure/http-connection.ts';
import type { Cluster, Filled } from './databases.ts';
import { findFacts } from './facts.ts';
import type { Facts } from './facts.ts';
import { startOurServer } from './our-server.ts';
import type { OurServer } from './our-server.ts';
import { SqlConnection } from './sql-connection.ts';

/** A filled database with our server on it, and a connection to each. */
export type Installation = {
  database: Filled;
  server: OurServer;
  facts: Facts;
  sql: SqlConnection;
  /** Makes a call over HTTP, its bytes made once. */
  call: (request: HttpRequest) => () => Promise<Buffer>;
};

export async function openInstallation(
  cluster: Cluster,
  database: Filled,
  closers: Closers,
): Promise<Installation> {
  const sql = await SqlConnection.open(database.address);
  closers.add(() => sql.close());
  const facts = await findFacts(sql, database.posts);
  const server = await startOurServer(database.address, cluster.scratch, closers);
  const connection = new HttpConnection(server.url);
  closers.add(async () => connection.close());
  return {
    database,
    server,
    facts,
    sql,
    call(request) {
      const bytes = connection.bytesOf({ ...request, token: server.token });
      return () => connection.send(bytes);
    },
  };
}
