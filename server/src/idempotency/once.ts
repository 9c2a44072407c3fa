import type { Database, Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import { claimKey, findResponse, storeResponse } from './keys.store.ts';
import type { RequestKey } from './request-key.ts';

/**
 * Does the work in a transaction, once per idempotency key: a retry gets the first response. It is
 * stored in the transaction of the change, so a refusal or a failure leaves the key unused.
 */
export async function once<T>(
  db: Database,
  key: RequestKey | null,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  if (key === null) return db.transaction(work);
  return db.transaction(async (tx) => {
    if (!(await claimKey(tx, key))) throw new AppError('request_in_progress');
    const stored = await findResponse(tx, key);
    if (stored === null) {
      const response = await work(tx);
      // The one statement that may follow an audit entry: there is no response before it.
      await storeResponse(tx, key, response);
      return response;
    }
    if (!stored.bodyHash.equals(key.bodyHash)) throw new AppError('key_used_otherwise');
    // Stored by the same call.
    return stored.response as T;
  });
}
