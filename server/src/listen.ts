import { errorCode } from '@meridian/embedded-postgres/folders';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Closers } from './background-task.ts';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

const DRAIN_TIMEOUT_MS = 10_000;
const SWEEP_MS = 50;
/** With a full backlog a client retries after 1, 3 and 7 seconds; accepted, it gets its 503 at once. */
const BACKLOG = 4_096;

/** The port is released at once, so that no client can connect to a server that is not ready. */
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

async function drain(app: FastifyInstance): Promise<void> {
  // A connection that becomes idle after the close began would stay open for its next request.
  const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
  const timeout = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(timeout);
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is in use; stop the other program or set PORT to another number',
  EACCES: 'this port needs more rights; set PORT to a number above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address; check HOST',
  ENOTFOUND: 'that host name is unknown; check HOST',
};

function listenError(error: unknown, host: string, port: number): unknown {
  const reason = REASONS[errorCode(error) ?? ''];
  return reason === undefined
    ? error
    : new StartError(`Cannot listen on ${host}:${port}: ${reason}.`, { cause: error });
}
