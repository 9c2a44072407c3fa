import { authLogout } from '@meridian/contract/auth';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../http/app-error.ts';

const WINDOW_MS = 60_000;

type Window = { startedAt: number; requests: number };

/**
 * A bound on what one session may ask for in a minute, so that a stolen token or a script gone wild
 * cannot take the server for itself. Counted in this process only: with several, each has its own.
 */
export function limitPerSession(
  scope: FastifyInstance,
  perMinute: number,
  clock: () => number = () => performance.now(),
): void {
  if (perMinute === 0) return;
  // In the order in which they began. Only live sessions come this far, so there are few.
  const windows = new Map<string, Window>();

  function windowOf(session: string, now: number): Window {
    for (const [key, { startedAt }] of windows) {
      if (now - startedAt < WINDOW_MS) break;
      windows.delete(key);
    }
    const found = windows.get(session) ?? { startedAt: now, requests: 0 };
    windows.set(session, found);
    return found;
  }

  scope.addHook('onRequest', ({ actor, routeOptions }, _, done) => {
    // Whoever floods a session must not keep its owner from ending it.
    if (actor === undefined || routeOptions.url === authLogout.path) return done();
    const now = clock();
    const window = windowOf(actor.tokenHash.toString('base64'), now);
    window.requests += 1;
    if (window.requests <= perMinute) return done();
    const retryAfterSeconds = Math.ceil((window.startedAt + WINDOW_MS - now) / 1000);
    done(new AppError('too_many_requests', { retryAfterSeconds }));
  });
}
