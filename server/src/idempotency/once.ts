import type { Database, Db } from '../db/database.ts';
import { AppError } from '../http/app-error.ts';
import { claimKey, findAnswer, keepAnswer } from './keys.store.ts';
import type { RequestKey } from './request-key.ts';

/**
 * Does the work in a transaction, once for each key: whoever asks again gets the first answer. Kept
 * with the change or not at all, so a refusal or a failure leaves the key free.
 */
export async function once<T>(
  db: Database,
  key: RequestKey | null,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  if (key === null) return db.transaction(work);
  return db.transaction(async (tx) => {
    if (!(await claimKey(tx, key))) throw new AppError('request_in_progress');
    const kept = await findAnswer(tx, key);
    if (kept === null) {
      const answer = await work(tx);
      // The one statement that may follow an entry in the record: there is no answer before it.
      await keepAnswer(tx, key, answer);
      return answer;
    }
    if (!kept.bodyHash.equals(key.bodyHash)) throw new AppError('key_used_otherwise');
    // The same call kept it.
    return kept.answer as T;
  });
}
