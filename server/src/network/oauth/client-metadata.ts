import type { OAuthClientMetadataInput } from '@atproto/oauth-client-node';
import { CALLBACK_PATH } from '../connector.ts';

export const CLIENT_METADATA_PATH = '/oauth/client-metadata.json';
export const JWKS_PATH = '/oauth/jwks.json';

/** Posts and their pictures, nothing else. putRecord needs both actions. */
const SCOPE = 'atproto repo:app.bsky.feed.post?action=create&action=update blob:image/*';

/** Who asks for access, as authorization servers read it at its own address. */
export function clientMetadataOf(publicUrl: string) {
  return {
    client_id: `${publicUrl}${CLIENT_METADATA_PATH}`,
    client_name: 'Meridian',
    client_uri: publicUrl,
    redirect_uris: [`${publicUrl}${CALLBACK_PATH}`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: SCOPE,
    application_type: 'web',
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    dpop_bound_access_tokens: true,
    jwks_uri: `${publicUrl}${JWKS_PATH}`,
  } as OAuthClientMetadataInput; // its addresses are checked by the client itself
}
