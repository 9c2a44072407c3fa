import type { FastifyInstance } from 'fastify';
import { CLIENT_METADATA_PATH, JWKS_PATH } from './client-metadata.ts';
import type { LiveNetwork } from './live-network.ts';

/** Who asks for access to accounts, for the authorization servers that are asked. */
export function oauthClientRoutes(
  app: FastifyInstance,
  { metadata, jwks }: Pick<LiveNetwork, 'metadata' | 'jwks'>,
): void {
  app.get(CLIENT_METADATA_PATH, async () => metadata);
  app.get(JWKS_PATH, async () => jwks);
}
