import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Closers } from './closers.ts';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

const DRAIN_LIMIT_MS = 10_000;
const SWEEP_MS = 50;
// Lines that wait to be accepted. Whoever finds no place there knocks again only after a second,
// then three, then seven: a rush has to get in to be told that there is too much to do.
const BACKLOG = 4_096;

/**
 * Refuses a taken port before the database is created. The port is given back at once: were it held
 * during the start, a client could connect to a server that is not ready.
 */
export async function requireFreePort({ host, port }: Config): Promise<void> {
  const probe = createServer();
  try {
    const listening = once(probe, 'listening');
    probe.listen({ host: addressOf(host), port });
    await listening;
  } catch (error) {
    throw listenError(error, host, port);
  }
  probe.close();
  await once(probe, 'close');
}

/** Starts to accept requests and returns the address to open in a browser. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Config,
  closers: Closers,
): Promise<string> {
  closers.add(() => drain(app));
  try {
    await app.listen({ host: addressOf(host), port, backlog: BACKLOG });
  } catch (error) {
    throw listenError(error, host, port);
  }
  const bound = app.server.address();
  const actualPort = typeof bound === 'object' ? (bound?.port ?? port) : port;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${actualPort}`;
}

/** Under the name localhost Fastify would open a second server, for IPv6, without our handlers. */
function addressOf(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

/** No new requests; running ones get their time, then their lines are cut. */
async function drain(app: FastifyInstance): Promise<void> {
  // A line that becomes idle after the close began would be kept open for its next request.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_LIMIT_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(cut);
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is in use; stop the other program or set PORT to another number',
  EACCES: 'this port needs more rights; set PORT to a number above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address; check HOST',
  ENOTFOUND: 'that host name is unknown; check HOST',
};

function listenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  return reason === undefined
    ? error
    : new StartError(`Cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
}
