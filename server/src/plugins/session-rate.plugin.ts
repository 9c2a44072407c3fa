import { authLogout } from '@meridian/contract/auth';
import { meSignOut } from '@meridian/contract/me/account';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../http/app-error.ts';

const WINDOW_MS = 60_000;
const SIGN_OUT = new Set<string>([authLogout.path, meSignOut.path]);

type Window = { startedAt: number; requests: number };

/**
 * The rate limit of one session, so that a stolen token or a runaway script cannot take all of the
 * server. Counted in this process only: with several, each has its own.
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

  scope.addHook('onRequest', ({ actor, member, routeOptions }, _, done) => {
    const session = actor?.tokenHash.toString('base64') ?? member?.sessionId;
    // A flooded session can still be ended by its owner.
    if (session === undefined || SIGN_OUT.has(routeOptions.url ?? '')) return done();
    const now = clock();
    const window = windowOf(session, now);
    window.requests += 1;
    if (window.requests <= perMinute) return done();
    const retryAfterSeconds = Math.ceil((window.startedAt + WINDOW_MS - now) / 1000);
    done(new AppError('too_many_requests', { retryAfterSeconds }));
  });
}
