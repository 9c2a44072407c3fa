import type { Foundation } from '../../foundation.ts';
import type { Network } from '../../network/network.ts';

/** Null where no network can be asked. */
export type FindRecord = Network['getRecord'] | null;

/** Loaded when a retry first looks for a record: few processes ever do. */
export function findRecordOf({
  config,
  db,
  live,
}: Pick<Foundation, 'config' | 'db' | 'live'>): FindRecord {
  if (live !== null) return (...record) => live.network.getRecord(...record);
  if (config.network !== 'local') return null;
  return async (host, did, rkey) => {
    const { createLocalNetwork } = await import('../../network/local/local-network.ts');
    return createLocalNetwork(db).getRecord(host, did, rkey);
  };
}
