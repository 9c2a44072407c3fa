import type { FastifyInstance } from 'fastify';
import { AppError } from '../http/app-error.ts';

const NOT_ONE_HOST = 'The request must name one host';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Against DNS rebinding: a foreign name that points here is refused. Null: any name passes. */
export function servedHosts(
  listenHost: string,
  allowedHosts: readonly string[],
): Set<string> | null {
  const isLoopback = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(listenHost);
  if (!isLoopback && allowedHosts.length === 0) return null;
  return new Set([...(isLoopback ? LOOPBACK : []), ...allowedHosts]);
}

export function checkHost(app: FastifyInstance, served: Set<string> | null): void {
  app.addHook('onRequest', ({ raw }, _, done) => {
    const hosts = countHosts(raw.rawHeaders);
    const isClear = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
    done(isClear ? undefined : new AppError('invalid_input', { message: NOT_ONE_HOST }));
  });
  if (served === null) return;
  app.addHook('onRequest', (request, _, done) => {
    // The header itself, not what a proxy says it was: the proxy is part of what is being checked.
    const name = request.headers.host?.toLowerCase().replace(/:\d+$/, '');
    const isServed = name !== undefined && served.has(name);
    const passes = isServed || request.routeOptions.config.anyHost === true;
    done(passes ? undefined : new AppError('misdirected_host'));
  });
}

/** Of two, Node shows the first, and a proxy may have gone by the other. Names and values in turn. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served under any host name: probes connect by address. */
    anyHost?: boolean;
  }
}
