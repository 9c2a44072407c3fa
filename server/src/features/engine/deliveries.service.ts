import { CAUSES, isCause, operatorSentence } from '@meridian/contract/causes';
import type { CauseFacts } from '@meridian/contract/causes';
import type { Delivery, DeliveryReason } from '@meridian/contract/deliveries';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { findDelivery, listAttempts } from './deliveries.store.ts';
import type { AttemptRow, DeliveryRow } from './deliveries.store.ts';
import { sentenceOfHold } from './engine.service.ts';

export function createDeliveriesService(db: Database) {
  return {
    async get(postId: string): Promise<Delivery> {
      const [row, attempts] = isUuid(postId)
        ? await Promise.all([findDelivery(db, postId), listAttempts(db, postId)])
        : [null, []];
      if (row === null) throw new AppError('post_not_found');
      return deliveryOf(row, attempts);
    },
  };
}

function deliveryOf(row: DeliveryRow, attempts: readonly AttemptRow[]): Delivery {
  const { did, writes, errorMessage, hold, cause, ...delivery } = row;
  return {
    ...delivery,
    hold: hold === null ? null : { word: hold, sentence: sentenceOfHold(hold), advice: null },
    cause: cause === null ? null : reasonOf(cause, { host: row.host }, errorMessage),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      cause: reasonOf(attempt.cause, { host: attempt.host, reason: attempt.error }),
    })),
    records: (writes ?? []).map(({ rkey, cid }) => ({
      rkey,
      cid,
      uri: `at://${did}/app.bsky.feed.post/${rkey}`,
    })),
  };
}

/** `written` is the sentence as the engine wrote it, with facts that are not stored anywhere else. */
function reasonOf(word: string, facts: CauseFacts, written: string | null = null): DeliveryReason {
  if (!isCause(word)) return { word, sentence: written ?? word, advice: null };
  return {
    word,
    sentence: written ?? operatorSentence(word, facts),
    advice: CAUSES[word].advice,
  };
}
