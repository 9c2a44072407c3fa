import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import type { Closers } from '../server/src/background-task.ts';
import type { Db } from '../server/src/db/database.ts';
import { SESSION_SETTINGS, settingStatements } from '../server/src/db/database.ts';
import type { Sql } from '../server/src/db/sql.ts';
import { columnTypes } from '../server/src/db/columns.ts';
import { makeDataDir, ServerProcess } from '../server/test/process.ts';

/** Makes a function that calls a path each time it runs. */
export type Get = (path: string) => () => Promise<Buffer>;
export type Meridian = { url: string; token: string; pid: number; get: Get };

/** Starts the real server on a database. */
export async function startMeridian(connectionString: string, closers: Closers): Promise<Meridian> {
  const dataDir = await makeDataDir(closers);
  const env = { DATABASE_URL: connectionString, DATA_DIR: dataDir };
  const server = await ServerProcess.start(env);
  closers.add(async () => {
    const code = await server.stop();
    if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output}`);
  });
  const token = await server.token();
  const { url, pid } = server;
  return { url, token, pid, get: getter(url, { authorization: `Bearer ${token}` }, closers) };
}

/** Calls over one connection that stays open. `fetch` would take longer than some of the calls do. */
function getter(url: string, headers: Record<string, string>, closers: Closers): Get {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closers.add(async () => agent.destroy());
  const { hostname, port } = new URL(url);
  return (path) => () =>
    new Promise((resolve, reject) => {
      get({ agent, hostname, port, path, headers }, (response) => {
        buffer(response).then((body) => {
          if (response.statusCode === 200) resolve(body);
          else reject(new Error(`${path}: ${response.statusCode} ${body.toString()}`));
        }, reject);
      }).on('error', reject);
    });
}

type Statement = { text: string; values: unknown[] };

/** Finds the first statement that a store would send, without sending it. */
export function statementOf(ask: (db: Db) => Promise<unknown>): Promise<Statement> {
  return new Promise((resolve, reject) => {
    // Never resolves: the store is dropped while it waits for the rows.
    const capture = ({ text, values }: Sql) => {
      resolve({ text, values: [...values] });
      return new Promise<never>(() => {});
    };
    ask({ many: capture, maybeOne: capture, one: capture, execute: capture }).then(
      () => reject(new Error('No statement was sent')),
      reject,
    );
  });
}

/** As many connections as our server has by default. */
const POOL_SIZE = 10;
type Bare = { connectionString: string; statements: Statement[] };

/**
 * Starts the least that serves each statement, under `/0`, `/1` and so on, in a process of its own: no
 * session, no validation, no schema. What our server adds to this is what it costs.
 */
export async function startBare(bare: Bare, closers: Closers): Promise<Get> {
  const { message } = await startChild(import.meta.filename, bare, closers);
  return getter(message, {}, closers);
}

async function serveBare({ connectionString, statements }: Bare): Promise<string> {
  // Planned as our server has it planned: what is compared is everything else.
  const settings = settingStatements(SESSION_SETTINGS);
  const onConnect = (client: { query(text: string): unknown }) => client.query(settings);
  const pool = new Pool({ connectionString, max: POOL_SIZE, types: columnTypes, onConnect });
  const app = fastify();
  for (const [at, statement] of statements.entries()) {
    app.get(`/${at}`, async (_, reply) => {
      const { rows } = await pool.query({ name: `bare-${at}`, ...statement });
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(rows));
    });
  }
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Runs a module in a process of its own, which gets the order and sends a message when it is ready. */
export async function startChild(file: string, order: object, closers: Closers) {
  const child = fork(file, { execArgv: [] });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.connected) child.disconnect();
    const [code] = await ended;
    if (code !== 0) throw new Error(`${file} ended with ${code}`);
  };
  closers.add(stop);
  child.send(order);
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(60_000) });
  return { message: String(message), pid: child.pid ?? 0, stop };
}

if (import.meta.main) {
  const [order] = await once(process, 'message');
  process.once('disconnect', () => process.exit(0));
  // Sent by `startBare`.
  process.send?.(await serveBare(order as Bare));
}
