import type { Logger } from 'pino';
import { isUnavailable } from '../db/errors.ts';
import { postUri } from '../network/network.ts';
import type { Network } from '../network/network.ts';
import type { ClaimedPost } from './claimed-post.ts';
import type { Clock } from './clock.ts';
import { decide } from './decide.ts';
import type { Step } from './decide.ts';
import type { Journalled } from './journal.store.ts';
import { isRecordKey, ownOf } from './journalled-writes.ts';
import type { Lanes } from './lanes.ts';
import type { EngineOptions } from './options.ts';
import type { Published } from './settle.store.ts';

type Post = Pick<ClaimedPost, 'id' | 'did' | 'host' | 'attempt'>;
type Entry = Pick<Journalled, 'writes' | 'journalledAt'>;

export type LookAfterOptions = {
  network: Network;
  clock: Clock;
  lanes: Lanes;
  options: EngineOptions;
  log: Logger;
  settlePublished: (published: Published) => Promise<void>;
  /** Null: never again. */
  planLook: (post: Post, inMs: number | null) => Promise<void>;
};

const NOT_PUBLIC: Step = { kind: 'fail', outcome: 'refused', cause: 'unknown_outcome', facts: {} };
/** Of the backoff: the host had its chance to respond to the worker already. */
const FAILURES = 2;

/** Looks whether a post that was decided or deleted by hand went out all the same. */
export function createLookAfter(engine: LookAfterOptions) {
  const { network, clock, lanes, options } = engine;

  async function look(post: Post, entry: Entry | null): Promise<void> {
    const write = entry?.writes[0];
    if (entry === null || write === undefined || !isRecordKey(write.rkey))
      return engine.planLook(post, null);
    const { id: postId, attempt, host, did } = post;
    const { rkey } = write;
    const sentAt = entry.journalledAt;
    const lane = await lanes.enter(host, did);
    if (lane.kind === 'put_off') return engine.planLook(post, lane.inMs);
    const response = await network
      .getRecord(host, did, rkey)
      .catch(() => ({ kind: 'fault' }) as const);
    const decision = decide(response, {
      ...options,
      call: 'getRecord',
      host,
      everSent: true,
      firstSentAt: sentAt,
      now: clock.now(),
      dueAt: sentAt,
      ...ownOf(write),
      transientFailures: FAILURES,
      faults: FAILURES,
      otherwise: NOT_PUBLIC,
    });
    lane.leave(decision.hostSignal);
    if (decision.kind === 'already' || decision.kind === 'altered') {
      const atUri = postUri(did, rkey);
      const outcome = decision.kind;
      return engine.settlePublished({ postId, attempt, outcome, atUri, rkey, sentAt, note: null });
    }
    return engine.planLook(post, decision.kind === 'retry' ? decision.at - clock.now() : null);
  }

  return async (post: Post, entry: Entry | null): Promise<void> => {
    try {
      await look(post, entry);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      engine.log.error({ err: error, postId: post.id }, 'A post could not be looked after');
      await engine.planLook(post, null);
    }
  };
}
