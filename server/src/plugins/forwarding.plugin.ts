import type { FastifyInstance } from 'fastify';
import { canonicalAddress } from '../http/client-network.ts';
import type { IsTrustedProxy } from './trusted-proxies.ts';

const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

/**
 * Warns that a proxy is not trusted, which nothing else shows until its clients share one exhausted
 * rate limit. Once per process: any client may send such a header, and must not be able to fill the log.
 */
export function warnOfUntrustedForwarding(app: FastifyInstance, isTrusted: IsTrustedProxy): void {
  let hasWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasWarned) {
      const header = FORWARDING_HEADERS.find((name) => name in request.headers);
      const peer = request.socket.remoteAddress;
      if (header !== undefined && !isTrusted(peer)) {
        hasWarned = true;
        request.log.warn(
          { peer: canonicalAddress(peer), header },
          'All clients behind this peer share one login rate limit, because its forwarding headers are not trusted: if it is your proxy, add its address to TRUST_PROXY',
        );
      }
    }
    done();
  });
}
