import { authMe } from '@meridian/contract/auth';
import type { FastifyInstance } from 'fastify';
import { Agent } from 'undici';
import { hashToken } from '../features/sessions/session-token.ts';
import { networkOf } from '../http/client-network.ts';
import { AppError } from '../http/app-error.ts';

const BEARER = /^Bearer ([!-~]{1,4096})$/i;
const TIMEOUT_MS = 5_000;
/** The other service keeps the accounts; here sessions are told apart by their tokens alone. */
const ADMIN = { adminId: 'upstream', username: 'upstream', displayName: null };

/** The gate of this server's own calls in front of another service, which knows whose token it is. */
export function requireUpstreamSession(scope: FastifyInstance, upstream: URL): void {
  const agent = new Agent();
  scope.addHook('onClose', () => agent.destroy());
  const path = upstream.pathname.replace(/\/$/, '') + authMe.path;

  async function statusOf(authorization: string): Promise<number> {
    try {
      const { statusCode, body } = await agent.request({
        method: authMe.method,
        origin: upstream.origin,
        path,
        headers: { authorization },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await body.dump();
      return statusCode;
    } catch (cause) {
      throw new AppError('upstream_failed', { cause });
    }
  }

  scope.decorateRequest('actor');
  scope.addHook('onRequest', async (request) => {
    const { authorization = '' } = request.headers;
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw new AppError('unauthenticated');
    const status = await statusOf(authorization);
    if (status === 401) throw new AppError('session_ended');
    if (status !== 200) throw new AppError('upstream_failed');
    const { id: requestId, ip } = request;
    request.actor = { ...ADMIN, tokenHash: hashToken(token), requestId, network: networkOf(ip) };
  });
}
