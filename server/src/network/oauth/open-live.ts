import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { shownPath } from '../../data-dir.ts';
import type { Database } from '../../db/database.ts';
import { StartError } from '../../start-error.ts';
import { makeMasterKey, readMasterKeys } from '../../vault/master-keys.ts';
import { findKeyIds } from '../../vault/sealed-tables.store.ts';
import { createVault } from '../../vault/vault.ts';
import { clientMetadataOf } from './client-metadata.ts';
import { openLiveNetwork } from './live-network.ts';
import type { LiveNetwork } from './live-network.ts';

type LiveOptions = { config: Config; db: Database; connection: ClientConfig; log: Logger };

/** What NETWORK=live needs of the settings; `keys` is null before the first start on the embedded database. */
export function liveSettingsOf(config: Config) {
  if (config.publicUrl === null) {
    throw new StartError(
      'NETWORK=live needs PUBLIC_URL, the https address of this server: account hosts read there who asks for access.',
    );
  }
  return { publicUrl: config.publicUrl, keys: readMasterKeys(config) };
}

/** With NETWORK=live: the vault by the keys of the environment, and the network on it. */
export async function openLive(
  { config, db, connection, log }: LiveOptions,
  say: (line: string) => void,
): Promise<LiveNetwork> {
  const { publicUrl, keys: found } = liveSettingsOf(config);
  let keys = found;
  const locking = await findKeyIds(db);
  if (keys === null && locking.length === 0) {
    const path = await makeMasterKey(config);
    say(
      `Made ${shownPath(path)}, the key to the accounts of people; keep a copy apart from backups.`,
    );
    keys = readMasterKeys(config);
  }
  const vault = keys === null ? null : createVault(keys);
  const missing = locking.find((id) => vault?.knows(id) !== true);
  if (vault === null || missing !== undefined) {
    throw new StartError(
      `ENGINE_KEY and ENGINE_KEY_FILE lack the key ${missing} that encrypts the access to accounts in this database; set it, or run npm run engine -- rotate-keys --discard and let these people connect again.`,
    );
  }
  const metadata = clientMetadataOf(publicUrl);
  return openLiveNetwork({ db, connection, log, vault, metadata });
}
