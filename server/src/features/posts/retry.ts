import { isRetryable } from '@meridian/contract/retries';
import type { Author } from '../../audit/author.ts';
import type { Db } from '../../db/database.ts';
import type { Foundation } from '../../foundation.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { recordKey } from '../../network/identifiers.ts';
import { POST_COLLECTION } from '../../network/network.ts';
import type { Network } from '../../network/network.ts';
import { findRetryFacts, insertRetry, savePublished } from './retry.store.ts';
import type { RetryFacts } from './retry.store.ts';

/**
 * Throws why a post cannot be retried. `iLooked`: its author looked on the network and did not find it,
 * which counts where the host does not say.
 */
export type RequireRetryable = (
  db: Db,
  id: string,
  options?: { iLooked: boolean },
) => Promise<void>;

const PUBLISHED = new Set(['published', 'already', 'altered']);

/** Schedules a failed post again: a new one, due now, that names the old. Every refusal is an AppError. */
export function createRetryPost(requireRetryable: RequireRetryable) {
  return async function retryPost(db: Db, by: Author, id: string): Promise<{ retryId: string }> {
    await requireRetryable(db, id);
    const retryId = await insertRetry(db, id, { by, action: 'postRetry' });
    // Another request was faster, or the post was deleted meanwhile.
    if (retryId === null) throw new AppError('post_already_retried');
    return { retryId };
  };
}

/**
 * The journal, and the network where the journal leaves it open, is asked whether the post is public:
 * never within a transaction, which would wait for a host.
 */
export function createRetryCheck(findRecord: FindRecord): RequireRetryable {
  return async function requireRetryable(db, id, author) {
    const facts = isUuid(id) ? await findRetryFacts(db, id) : null;
    if (facts === null) throw new AppError('post_not_found');
    if (facts.retriedAs !== null) throw new AppError('post_already_retried');
    if (facts.atUri !== null || PUBLISHED.has(facts.outcome ?? '')) {
      throw new AppError('post_already_published');
    }
    if (facts.status !== 'FAILED' || !isRetryable(facts.cause)) {
      throw new AppError('post_not_retryable');
    }
    if (facts.cause === 'unknown_outcome' && author?.iLooked === false) {
      throw new AppError('post_unconfirmed');
    }
    const isPublished = await findPublished(db, id, facts);
    if (isPublished === true) throw new AppError('post_already_published');
    if (isPublished === null && author?.iLooked !== true) {
      throw new AppError('post_outcome_unknown');
    }
  };

  /** Null: the host does not say. */
  async function findPublished(db: Db, id: string, facts: RetryFacts): Promise<boolean | null> {
    const { outcome, host, did } = facts;
    // Before it settles a post as refused, the engine has looked itself.
    if (outcome === 'refused' || host === null) return false;
    // Without a journal the database may have lost it.
    const rkey = facts.rkey ?? recordKey(id, 0);
    const response = (await findRecord?.(host, did, rkey)) ?? null;
    if (response?.kind !== 'response') return null;
    if (response.status === 200) {
      await savePublished(db, id, { uri: `at://${did}/${POST_COLLECTION}/${rkey}`, rkey });
      return true;
    }
    return response.error === 'RecordNotFound' ? false : null;
  }
}

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
