import type { Closers } from '../../server/src/closers.ts';
import { HttpLine } from '../measure/http-line.ts';
import type { HttpRequest } from '../measure/http-line.ts';
import type { Cluster, Filled } from './databases.ts';
import { findFacts } from './facts.ts';
import type { Facts } from './facts.ts';
import { startOurServer } from './our-server.ts';
import type { OurServer } from './our-server.ts';
import { SqlLine } from './sql-line.ts';

/** A filled database with our server on it, and a line to each. */
export type Place = {
  database: Filled;
  server: OurServer;
  facts: Facts;
  sql: SqlLine;
  /** Makes a call over HTTP, its bytes made once. */
  call: (request: HttpRequest) => () => Promise<Buffer>;
};

export async function openPlace(
  cluster: Cluster,
  database: Filled,
  closers: Closers,
): Promise<Place> {
  const sql = await SqlLine.open(database.address);
  closers.add(() => sql.close());
  const facts = await findFacts(sql, database.posts);
  const server = await startOurServer(database.address, cluster.scratch, closers);
  const line = new HttpLine(server.url);
  closers.add(async () => line.close());
  return {
    database,
    server,
    facts,
    sql,
    call(request) {
      const bytes = line.bytesOf({ ...request, token: server.token });
      return () => line.send(bytes);
    },
  };
}
