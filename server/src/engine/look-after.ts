import { POST_COLLECTION } from '../network/network.ts';
import type { Network } from '../network/network.ts';
import type { ClaimedPost } from './claimed-post.ts';
import type { Clock } from './clock.ts';
import { decide } from './decide.ts';
import type { Step } from './decide.ts';
import type { Journalled } from './journal.store.ts';
import type { Lanes } from './lanes.ts';
import type { EngineOptions } from './options.ts';
import type { Published } from './settle.store.ts';

export type LookAfterOptions = {
  network: Network;
  clock: Clock;
  lanes: Lanes;
  options: EngineOptions;
  settlePublished: (published: Published) => Promise<void>;
  /** Null: never again. */
  planLook: (post: ClaimedPost, inMs: number | null) => Promise<void>;
};

const NOT_PUBLIC: Step = { kind: 'fail', outcome: 'refused', cause: 'unknown_outcome', facts: {} };
/** Of the backoff: the host had its chance to respond to the worker already. */
const FAILURES = 2;

/** Looks whether a post that was decided by hand went out all the same; then it gets its address. */
export function createLookAfter(engine: LookAfterOptions) {
  const { network, clock, lanes, options } = engine;

  return async (post: ClaimedPost, entry: Journalled | null): Promise<void> => {
    const write = entry?.writes[0];
    if (entry === null || write === undefined) return engine.planLook(post, null);
    const { host, did } = post;
    const lane = await lanes.enter(host, did);
    if (lane.kind === 'put_off') return engine.planLook(post, lane.inMs);
    const response = await network
      .getRecord(host, did, write.rkey)
      .catch(() => ({ kind: 'fault' }) as const);
    const decision = decide(response, {
      call: 'getRecord',
      host,
      everSent: true,
      firstSentAt: entry.journalledAt,
      now: clock.now(),
      dueAt: entry.journalledAt,
      lateLimitMs: options.lateLimitMs,
      retryWindowMs: options.retryWindowMs,
      ownCid: write.cid,
      transientFailures: FAILURES,
      otherwise: NOT_PUBLIC,
    });
    lane.leave(decision.hostSignal);
    if (decision.kind === 'already' || decision.kind === 'altered') {
      return engine.settlePublished({
        postId: post.id,
        attempt: post.attempt,
        outcome: decision.kind,
        atUri: `at://${did}/${POST_COLLECTION}/${write.rkey}`,
        rkey: write.rkey,
        sentAt: entry.journalledAt,
        note: null,
      });
    }
    return engine.planLook(post, decision.kind === 'retry' ? decision.at - clock.now() : null);
  };
}
