import { randomBytes } from 'node:crypto';
import type { OAuthClientMetadataInput } from '@atproto/oauth-client-node';
import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import { createVault, masterKeys } from '../../vault/vault.ts';
import { clientMetadataOf, createOAuthStore } from '../oauth/oauth-client.ts';
import { openLiveNetwork } from '../oauth/live-network.ts';

export type TestLiveOptions = {
  keys: string;
  directories: { plcDirectoryUrl: string; handleResolver: string; allowHttp: boolean };
  /** Instead of the confidential client. */
  metadata?: OAuthClientMetadataInput;
};

export const newMasterKey = () => randomBytes(32).toString('base64');

/** The live network with accounts on this machine. */
export function openTestLive(
  { db, connection, log }: { db: Db; connection: ClientConfig; log: Logger },
  { keys, directories, metadata }: TestLiveOptions,
) {
  return openLiveNetwork({
    db,
    connection,
    log,
    vault: createVault(masterKeys(keys)),
    metadata: metadata ?? clientMetadataOf('https://posts.example.com'),
    transport: { addresses: 'loopback' },
    directories,
  });
}

/** Lets the stored access token of an account be out of date. */
export async function expireSession(db: Db, keys: string, did: string): Promise<void> {
  const store = createOAuthStore(db, createVault(masterKeys(keys)));
  const stored = JSON.parse((await store.findSession(did)) ?? '{}') as { tokenSet: object };
  const tokenSet = { ...stored.tokenSet, expires_at: new Date(0).toISOString() };
  await store.saveSession(did, JSON.stringify({ ...stored, tokenSet }));
}
