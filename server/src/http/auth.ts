import { authLogout } from '@meridian/contract/auth';
import { deliveryGet } from '@meridian/contract/deliveries';
import { engineGet } from '@meridian/contract/engine';
import { eventStream } from '@meridian/contract/events';
import { meSignOut } from '@meridian/contract/me/account';
import { nowGet } from '@meridian/contract/now';
import { BACKGROUND_HEADER } from '@meridian/contract/requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiTokens } from '../features/api-tokens/api-tokens.service.ts';
import { tokenOfHeader } from '../features/sessions/sessions.service.ts';
import type { SessionsService } from '../features/sessions/sessions.service.ts';
import { AppError } from './errors.ts';
import { networkOf } from './guards.ts';
import { reasonOf, routerPath } from './register.ts';
import type { SessionActor } from './register.ts';

/** The console polls these by itself, so they do not count as use: the idle timeout still ends a session. */
const POLLED = new Set(
  [engineGet, deliveryGet, eventStream, nowGet].map(({ path }) => routerPath(path)),
);
const BACKGROUND = BACKGROUND_HEADER.toLowerCase();

type Credentials = { sessions: SessionsService; apiTokens: ApiTokens };

/** Every route of this scope, present and future, asks for a live session or API token before anything else. */
export function requireSession(scope: FastifyInstance, credentials: Credentials): void {
  scope.decorateRequest('actor');
  scope.addHook('onRequest', async (request) => {
    const actor = await authenticate(request, credentials);
    const network = networkOf(request.ip);
    request.actor = { ...actor, requestId: request.id, network, reason: reasonOf(request) };
  });
}

async function authenticate(
  request: FastifyRequest,
  { sessions, apiTokens }: Credentials,
): Promise<SessionActor> {
  const { authorization } = request.headers;
  const apiToken = tokenOfHeader(authorization, 'mer');
  if (apiToken !== null) {
    return apiTokens.administratorOf(apiToken, request.routeOptions.config.endpoint);
  }
  const token = tokenOfHeader(authorization);
  if (token === null) throw new AppError('unauthenticated');
  return sessions.authenticate(token, { isUse: isUse(request) });
}

function isUse({ method, headers, routeOptions }: FastifyRequest): boolean {
  const isRepeated = method === 'GET' && headers[BACKGROUND] !== undefined;
  return !isRepeated && !POLLED.has(routeOptions.url ?? '');
}

const WINDOW_MS = 60_000;
const SIGN_OUT = new Set<string>([authLogout.path, meSignOut.path]);

type Window = { startedAt: number; requests: number };

/**
 * Refuses what one session, or API token, asks for too often, so that a stolen token or a runaway script
 * cannot take all of the server. Counted in this process only: with several, each has its own.
 */
export function createRequestCount(
  perMinute: number,
  clock: () => number = () => performance.now(),
): (session: string) => void {
  if (perMinute === 0) return () => {};
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

  return (session) => {
    const now = clock();
    const window = windowOf(session, now);
    window.requests += 1;
    if (window.requests <= perMinute) return;
    const retryAfterSeconds = Math.ceil((window.startedAt + WINDOW_MS - now) / 1000);
    throw new AppError('too_many_requests', { retryAfterSeconds });
  };
}

/** Limits each session of this scope. */
export function limitPerSession(
  scope: FastifyInstance,
  perMinute: number,
  clock?: () => number,
): void {
  const countRequest = createRequestCount(perMinute, clock);
  scope.addHook('onRequest', async ({ actor, member, routeOptions }) => {
    const session = actor?.tokenHash.toString('base64') ?? member?.sessionId;
    // A flooded session can still be ended by its owner.
    if (session !== undefined && !SIGN_OUT.has(routeOptions.url ?? '')) countRequest(session);
  });
}
