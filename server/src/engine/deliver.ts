import { operatorSentence } from '@meridian/contract/causes';
import type { Cause, CauseFacts, Hold } from '@meridian/contract/causes';
import type { Logger } from 'pino';
import type { Network, NetworkResponse } from '../network/network.ts';
import { POST_COLLECTION } from '../network/network.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { backoffMs } from './backoff.ts';
import type { Upload } from './blobs.ts';
import type { ClaimedPost } from './claimed-post.ts';
import type { Clock } from './clock.ts';
import { decide } from './decide.ts';
import type { Decision, OwnFault, Situation } from './decide.ts';
import { failureOf } from './failure.ts';
import type { Entry, Journalled } from './journal.store.ts';
import type { Entry as LaneEntry } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { EngineOptions } from './options.ts';
import { prepare } from './prepare.ts';
import type { NotPrepared } from './prepare.ts';
import type { FailedCall, Published, Unpublished } from './settle.store.ts';
import type { Switchboard } from './switchboard.ts';

export type DeliveryOptions = {
  network: Network;
  objects: ObjectStore;
  clock: Clock;
  lanes: Lanes;
  switchboard: Switchboard;
  options: EngineOptions;
  workerId: string;
  log: Logger;
  /** Aborted when the engine stops: what is not on the wire is given back. */
  stopping: AbortSignal;
  journal: (entry: Entry) => Promise<Journalled>;
  settlePublished: (published: Published) => Promise<void>;
  settleUnpublished: (unpublished: Unpublished) => Promise<void>;
  disconnect: (post: ClaimedPost, state: string) => Promise<void>;
  onPublished: (post: ClaimedPost, sentAt: number) => void;
};

/** After so many attempts a fault of our own is not going to pass. */
const FAULT_RETRIES = 3;

type Refusal = Pick<Unpublished, 'status' | 'next' | 'outcome' | 'isUnsent'> & {
  hold?: Hold;
  cause?: Cause;
  facts?: CauseFacts;
  call?: FailedCall;
};

const accountOf = ({ userId, did, host }: ClaimedPost) => ({ userId, did, host });

/** From a claim to its settlement: journal, upload, wait, last look, send, decide. */
export function createDelivery(engine: DeliveryOptions) {
  const { network, objects, clock, lanes, switchboard, options } = engine;

  async function deliver(post: ClaimedPost, earlier: Journalled | null): Promise<void> {
    const account = accountOf(post);
    const around = { network, objects, account, now: clock.now() };
    const prepared = await prepare(post, around).catch((error: unknown): NotPrepared => {
      engine.log.error({ err: error, postId: post.id }, 'A post could not be prepared');
      const kind = post.attempt > FAULT_RETRIES ? 'failed' : 'retry';
      return { kind, cause: 'internal', facts: { reference: post.id } };
    });
    let entry = earlier;
    if (entry === null) {
      if (prepared.kind === 'failed') {
        return settle(post, {
          status: 'FAILED',
          next: 'never',
          outcome: null,
          isUnsent: true,
          ...prepared,
        });
      }
      if (prepared.kind === 'retry') {
        const { cause, facts } = prepared;
        return putOff(post, null, backoffMs(post.attempt - 1), { cause, facts });
      }
      entry = await engine.journal({ post, writes: prepared.writes });
    }
    // What an earlier attempt journalled is sent again, whatever became of its pictures since.
    const uploads = prepared.kind === 'ready' ? prepared.uploads : [];
    for (const upload of uploads) if (!(await uploadPicture(post, entry, upload))) return;
    await clock.until(post.dueAt, engine.stopping);
    await publish(post, entry);
  }

  async function uploadPicture(
    post: ClaimedPost,
    entry: Journalled,
    upload: Upload,
  ): Promise<boolean> {
    const account = accountOf(post);
    const send = () => network.uploadBlob(account, upload.bytes, upload.mimeType);
    const called = await callHost(post, entry, { call: 'uploadBlob', ownCid: upload.cid }, send);
    if (called === null) return false;
    if (called.decision.kind === 'uploaded') return true;
    await settleDecision(post, entry, called);
    return false;
  }

  async function publish(post: ClaimedPost, entry: Journalled): Promise<void> {
    const account = accountOf(post);
    const { writes } = entry;
    const [first] = writes;
    if (first === undefined) throw new Error('A journal entry without a write');
    const isThread = writes.length > 1;
    // Nothing is sent long after the first attempt: the author may have deleted the post meanwhile.
    const isLookOnly = entry.maybeSent && clock.now() > entry.journalledAt + options.retryWindowMs;
    const ownCid = first.cid;
    const look = () => network.getRecord(post.host, post.did, first.rkey);
    const send = () =>
      isThread ? network.applyWrites(account, writes) : network.putRecord(account, first);
    const called = isLookOnly
      ? await callHost(post, entry, { call: 'getRecord', ownCid }, look)
      : await callHost(post, entry, { call: isThread ? 'applyWrites' : 'putRecord', ownCid }, send);
    if (called === null) return;
    if (called.decision.kind !== 'look') return settleDecision(post, entry, called);
    const { otherwise, maybeSent } = called.decision;
    const seen = { ...entry, maybeSent: entry.maybeSent || maybeSent };
    const looked = await callHost(post, seen, { call: 'getRecord', ownCid, otherwise }, look);
    if (looked !== null) await settleDecision(post, seen, { ...looked, sentAt: called.sentAt });
  }

  type Called = { decision: Decision; sentAt: number; failure: FailedCall };

  /** Null when no call was made and the post was given back. */
  async function callHost(
    post: ClaimedPost,
    entry: Journalled,
    request: Pick<Situation, 'call' | 'ownCid' | 'otherwise'>,
    send: () => Promise<NetworkResponse>,
  ): Promise<Called | null> {
    const lane = await lanes.enter(post.host, post.did);
    if (switchboard.stopReason(post) === 'outdated') await switchboard.refresh();
    // The last look: memory only, right before the call.
    const stopped = engine.stopping.aborted ? 'stopping' : switchboard.stopReason(post);
    if (lane.kind === 'put_off' || stopped !== null) {
      if (lane.kind === 'go') lane.leave('no call');
      await (lane.kind === 'put_off' && stopped === null
        ? putOffByLane(post, entry, lane)
        : giveBack(post, entry));
      return null;
    }
    const sentAt = clock.now();
    const response = await send().catch((error: unknown): OwnFault => {
      engine.log.error(
        { err: error, postId: post.id },
        'A call to the network failed by our fault',
      );
      return { kind: 'fault', reference: post.id };
    });
    const decision = decide(response, { ...situationOf(post, entry), ...request });
    lane.leave(decision.hostSignal);
    const times = { startedAt: sentAt, endedAt: clock.now() };
    const failure = { ...failureOf(response), ...times, host: post.host, worker: engine.workerId };
    return { decision, sentAt, failure };
  }

  function situationOf(post: ClaimedPost, entry: Journalled): Omit<Situation, 'call' | 'ownCid'> {
    return {
      host: post.host,
      everSent: entry.maybeSent,
      firstSentAt: entry.maybeSent ? entry.journalledAt : null,
      now: clock.now(),
      dueAt: Math.max(post.scheduledAt.getTime(), entry.journalledAt),
      lateLimitMs: options.lateLimitMs,
      retryWindowMs: options.retryWindowMs,
      transientFailures: entry.failures,
      previousCause: post.previousCause,
    };
  }

  async function settleDecision(
    post: ClaimedPost,
    entry: Journalled,
    called: Called,
  ): Promise<void> {
    const { decision, sentAt, failure } = called;
    const isUnsent = !decision.maybeSent && !entry.maybeSent;
    switch (decision.kind) {
      case 'published':
      case 'already':
      case 'altered': {
        const rkey = entry.writes[0]?.rkey ?? '';
        const atUri = `at://${post.did}/${POST_COLLECTION}/${rkey}`;
        const note =
          decision.kind === 'altered'
            ? { cause: decision.cause, sentence: operatorSentence(decision.cause, decision.facts) }
            : null;
        const { id: postId, attempt } = post;
        await engine.settlePublished({
          postId,
          attempt,
          outcome: decision.kind,
          atUri,
          rkey,
          sentAt,
          note,
        });
        engine.onPublished(post, sentAt);
        return;
      }
      case 'retry': {
        const next = { inMs: Math.max(0, decision.at - clock.now()) };
        return settle(post, {
          status: 'PROCESSING',
          next,
          outcome: null,
          isUnsent,
          call: failure,
          ...decision,
        });
      }
      case 'hold': {
        if (decision.accountState !== undefined)
          await engine.disconnect(post, decision.accountState);
        const status = isUnsent && post.wasPending ? 'PENDING' : 'PROCESSING';
        return settle(post, {
          status,
          next: 'never',
          outcome: null,
          isUnsent,
          call: failure,
          ...decision,
        });
      }
      case 'fail':
        if (decision.accountState !== undefined)
          await engine.disconnect(post, decision.accountState);
        return settle(post, {
          status: 'FAILED',
          next: 'never',
          isUnsent,
          call: failure,
          ...decision,
        });
      case 'look':
      case 'uploaded':
        throw new Error(`A post cannot be settled by ${decision.kind}`);
    }
  }

  function putOffByLane(
    post: ClaimedPost,
    entry: Journalled,
    { inMs, because }: LaneEntry & { kind: 'put_off' },
  ): Promise<void> {
    if (because === 'busy') return putOff(post, entry, inMs, {});
    const cause = because === 'rate_limited' ? 'rate_limited_host' : 'host_down';
    const reason = { cause, facts: { host: post.host } } as const;
    const situation = { ...situationOf(post, entry), call: 'getRecord', ownCid: '' } as const;
    const until = situation.now + inMs;
    // Past its deadline it would wait for as long as the host is down.
    const decision = decide({ kind: 'put_off', until, ...reason }, situation);
    if (decision.kind === 'fail') {
      const isUnsent = !entry.maybeSent;
      return settle(post, { status: 'FAILED', next: 'never', isUnsent, ...decision });
    }
    const at = decision.kind === 'retry' ? decision.at : until;
    return putOff(post, entry, at - situation.now, { hold: because, ...reason });
  }

  /** Without a call: back to PENDING, unless an earlier attempt may have reached the host. */
  function putOff(
    post: ClaimedPost,
    entry: Journalled | null,
    inMs: number,
    reason: Pick<Refusal, 'hold' | 'cause' | 'facts'>,
  ): Promise<void> {
    const status = post.wasPending && entry?.maybeSent !== true ? 'PENDING' : 'PROCESSING';
    return settle(post, {
      status,
      next: { inMs },
      outcome: null,
      isUnsent: entry?.maybeSent !== true,
      ...reason,
    });
  }

  /** Stopped by a switch, or because the engine stops. */
  function giveBack(post: ClaimedPost, entry: Journalled): Promise<void> {
    const isUnsent = !entry.maybeSent;
    return isUnsent && post.wasPending
      ? settle(post, { status: 'PENDING', next: 'planned', outcome: null, isUnsent })
      : settle(post, { status: 'PROCESSING', next: { inMs: 0 }, outcome: null, isUnsent });
  }

  function settle(post: ClaimedPost, refusal: Refusal): Promise<void> {
    const { status, next, outcome, isUnsent, hold = null, cause = null, call = null } = refusal;
    const sentence = cause === null ? null : operatorSentence(cause, refusal.facts ?? {});
    const { id: postId, attempt } = post;
    const settled = {
      postId,
      attempt,
      status,
      next,
      outcome,
      isUnsent,
      hold,
      cause,
      sentence,
      call,
    };
    return engine.settleUnpublished(settled);
  }

  return deliver;
}
