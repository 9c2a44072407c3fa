import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Closers } from '../../server/src/closers.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import { statementName } from '../../server/src/db/sql.ts';

export type BareOrder = {
  connectionString: string;
  poolSize: number;
  routes: { path: string; name: string; text: string; values: unknown[] }[];
};

/** As many connections as our server has by default. */
const POOL_SIZE = 10;
const CHILD = join(import.meta.dirname, 'bare-server-child.ts');

/** Serves each statement under its path, in a process of its own. Ends with this one. */
export async function startBareServer(
  connectionString: string,
  statements: ReadonlyMap<string, Sql>,
  closers: Closers,
): Promise<{ url: string; startMs: number }> {
  const startedAt = performance.now();
  const child = fork(CHILD, { execArgv: [], serialization: 'advanced' });
  closers.add(async () => {
    child.disconnect();
    if (child.exitCode === null) await once(child, 'exit');
  });
  const routes = [...statements].map(([path, { text, values }]) => ({
    path,
    name: statementName(text) ?? path,
    text,
    values: [...values],
  }));
  child.send({ connectionString, poolSize: POOL_SIZE, routes } satisfies BareOrder);
  const [url] = await once(child, 'message', { signal: AbortSignal.timeout(15_000) });
  await (await fetch(`${url}/`)).text();
  return { url: String(url), startMs: performance.now() - startedAt };
}
