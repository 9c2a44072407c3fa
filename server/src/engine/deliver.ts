import { operatorSentence } from '@meridian/contract/causes';
import type { Logger } from 'pino';
import type { EngineOptions } from '../config.ts';
import { isUnavailable, isViolation } from '../db/errors.ts';
import { recordKey } from '../network/identity.ts';
import type { Network, NetworkResponse, PostRecord, RecordWrite } from '../network/network.ts';
import { postUri } from '../network/network.ts';
import type { ClaimedPost } from './claim.ts';
import type { Clock } from './heartbeat.ts';
import type { Hosts } from './hosts.ts';
import type { Entry, Journalled } from './journal.ts';
import { backoffMs, decide, failureOf, FAULT_RETRIES } from './outcome.ts';
import type { Decision, OwnFault, Situation, Step } from './outcome.ts';
import type { Prepared, Upload } from './prepare.ts';
import { afterStep, failTooLate, release, retryByHost, retryIn } from './settle.ts';
import type { FailedCall, Published, Unpublished } from './settle.ts';
import type { Switches } from './switches.ts';

export type DeliveryOptions = {
  network: Network;
  clock: Clock;
  hosts: Hosts;
  switches: Switches;
  options: EngineOptions;
  workerId: string;
  log: Logger;
  stopping: AbortSignal;
  prepare: (post: ClaimedPost, now: number) => Promise<Prepared>;
  /** The result is null for a deleted post, which is not to be sent. */
  journal: (entry: Entry) => Promise<Journalled | null>;
  countFaults: (post: ClaimedPost) => Promise<number>;
  settlePublished: (published: Published) => Promise<void>;
  settleUnpublished: (unpublished: Unpublished) => Promise<void>;
  disconnect: (post: ClaimedPost, state: string) => Promise<void>;
  onPublished: (post: ClaimedPost, sentAt: number) => void;
  random: () => number;
};

/** The last attempt is made at the deadline; claims and hosts take a moment. */
const LAST_ATTEMPT_MS = 120_000;

const NOT_THERE: Step = { kind: 'fail', outcome: 'refused', cause: 'too_late', facts: {} };

const OUTCOME_UNKNOWN = {
  kind: 'fail',
  outcome: 'unknown',
  cause: 'unknown_outcome',
  facts: {},
} as const;

const KEY_TAKEN = 'another post of the user has its record key';

const lateFrom = (post: ClaimedPost, entry: Journalled | null) =>
  Math.max(post.scheduledAt.getTime(), entry?.journalledAt ?? 0);

/** Nobody knows the record any more, so its key can only be looked for. */
const lostRecord = (rkey: string): RecordWrite => ({
  rkey,
  cid: '',
  record: null as unknown as PostRecord,
});

type Called = { decision: Decision; sentAt: number; failure: FailedCall };

export function createDelivery(engine: DeliveryOptions) {
  const { network, clock, hosts, switches, options } = engine;

  async function deliver(post: ClaimedPost, earlier: Journalled | null): Promise<void> {
    const now = clock.now();
    const isUnsent = earlier?.maybeSent !== true;
    const isOver = isUnsent && (post.tooLate !== null || isKeptBack(post, earlier, now));
    if (isOver && !post.isDoubtful) {
      return engine.settleUnpublished(failTooLate(post, options.lateLimitMs, now));
    }
    let entry = earlier;
    try {
      const prepared = await engine
        .prepare(post, now)
        .catch((error: unknown): { kind: 'unknown' } => {
          if (earlier === null) throw error;
          engine.log.error({ err: error, postId: post.id }, 'A post could not be prepared again');
          return { kind: 'unknown' };
        });
      // A post that is still sent is found by the host itself, under the same key.
      const isToFail = isOver || (isUnsent && prepared.kind === 'failed');
      if (post.isDoubtful && isToFail) {
        const writes = earlier?.writes ?? (prepared.kind === 'ready' ? prepared.writes : []);
        if (!(await isAbsent(post, writes))) return;
        if (isOver) return engine.settleUnpublished(failTooLate(post, options.lateLimitMs, now));
      }
      entry ??= await journalled(post, prepared, now);
      if (entry === null) return;
      // An earlier attempt's records are sent again, whatever became of their pictures since.
      const uploads = prepared.kind === 'ready' ? prepared.uploads : [];
      // A refresh may take seconds, so it comes before the due time and the last look.
      await network.refreshSession(post);
      for (const upload of uploads) if (!(await uploadPicture(post, entry, upload))) return;
      await clock.until(post.dueAt, engine.stopping);
      await publish(post, entry);
    } catch (error) {
      await settleFault(post, entry, error);
    }
  }

  /** Unless this is true, the post is settled: completed, tried again while the host is silent, or failed. */
  async function isAbsent(post: ClaimedPost, writes: readonly RecordWrite[]): Promise<boolean> {
    const { id: postId, attempt } = post;
    const now = clock.now();
    const write = writes[0] ?? lostRecord(recordKey(postId, 0));
    const sending = { maybeSent: false, firstSentAt: now, failures: attempt - 1, faults: 0 };
    const asked = { postId, writes: [write], journalledAt: now, ...sending };
    const called = await lookFor(post, asked, write, NOT_THERE);
    if (called === null) return false;
    const { decision, failure: call } = called;
    if (decision.kind === 'fail') return true;
    if (decision.kind !== 'retry') {
      await settleDecision(post, asked, called);
      return false;
    }
    const { cause, facts } = decision;
    const reason = { hold: 'host_down', cause, facts, call } as const;
    const { hostSignal } = decision;
    const hasResponded = hostSignal !== 'no call' && hostSignal.state === 'ok';
    await engine.settleUnpublished(
      hasResponded && call.httpStatus !== null
        ? afterStep(post, { ...OUTCOME_UNKNOWN, facts }, { isUnsent: true, call, now })
        : retryIn(post, asked, decision.at - now, reason),
    );
    return false;
  }

  async function journalled(
    post: ClaimedPost,
    prepared: Prepared | { kind: 'unknown' },
    now: number,
  ): Promise<Journalled | null> {
    if (prepared.kind === 'failed') {
      const step = { ...prepared, kind: 'fail', outcome: 'refused' } as const;
      await engine.settleUnpublished(afterStep(post, step, { isUnsent: true, now }));
    }
    if (prepared.kind === 'retry') {
      const { cause, facts, error } = prepared;
      if (error !== undefined) {
        engine.log.warn({ err: error, postId: post.id }, 'The pictures of a post cannot be read');
      }
      const inMs = backoffMs(post.attempt - 1, engine.random);
      await engine.settleUnpublished(retryIn(post, null, inMs, { cause, facts }));
    }
    return prepared.kind === 'ready' ? engine.journal({ post, writes: prepared.writes }) : null;
  }

  async function settleFault(
    post: ClaimedPost,
    entry: Journalled | null,
    error: unknown,
  ): Promise<void> {
    // Nothing can be settled now: the lease ends, and the next attempt repeats what the journal says.
    if (isUnavailable(error)) throw error;
    engine.log.error({ err: error, postId: post.id }, 'A delivery failed by our fault');
    const isUnsent = entry === null;
    const now = clock.now();
    const call = failedCall(post, { kind: 'fault' }, now);
    const isKeyTaken = isViolation(error, 'posts_record_key');
    const reason = isKeyTaken
      ? ({ cause: 'invalid_record', facts: { reason: KEY_TAKEN } } as const)
      : ({ cause: 'internal', facts: { reference: post.id } } as const);
    if (!isKeyTaken && (await engine.countFaults(post)) < FAULT_RETRIES) {
      const seen = entry && { ...entry, maybeSent: true };
      const retry = retryIn(post, seen, backoffMs(post.attempt - 1, engine.random), {
        ...reason,
        call,
      });
      return engine.settleUnpublished(retry);
    }
    const outcome = isUnsent ? 'refused' : 'unknown';
    const step = { kind: 'fail', outcome, ...reason } as const;
    return engine.settleUnpublished(afterStep(post, step, { isUnsent, call, now }));
  }

  function isKeptBack(post: ClaimedPost, entry: Journalled | null, now: number): boolean {
    const end = lateFrom(post, entry) + options.lateLimitMs + LAST_ATTEMPT_MS;
    // A retry has a cause, but only what was journalled is retried until the end.
    const isByHand = post.dueAt > end && (entry === null || post.previousCause === null);
    const isClaimedAgain = !post.wasPending && post.attempt > 1;
    return isClaimedAgain && entry?.maybeSent !== true && now > end && !isByHand;
  }

  async function uploadPicture(
    post: ClaimedPost,
    entry: Journalled,
    upload: Upload,
  ): Promise<boolean> {
    const send = () => network.uploadBlob(post, upload.bytes, upload.mimeType);
    const called = await callHost(post, entry, { call: 'uploadBlob', ownCid: upload.cid }, send);
    if (called === null) return false;
    if (called.decision.kind === 'uploaded') return true;
    await settleDecision(post, entry, called);
    return false;
  }

  async function publish(post: ClaimedPost, entry: Journalled): Promise<void> {
    const { writes } = entry;
    const [first] = writes;
    if (first === undefined) throw new Error('A journal entry names no record');
    const isThread = writes.length > 1;
    // Nothing is sent long after the first attempt: the author may have deleted the post meanwhile.
    const isLookOnly = entry.maybeSent && clock.now() > entry.firstSentAt + options.retryWindowMs;
    if (isLookOnly && post.isDoubtful) {
      if (!(await isAbsent(post, writes))) return;
      const about = { isUnsent: false, now: clock.now() };
      return engine.settleUnpublished(afterStep(post, OUTCOME_UNKNOWN, about));
    }
    const send = () =>
      isThread ? network.applyWrites(post, writes) : network.putRecord(post, first);
    const { cid: ownCid, record: ownRecord } = first;
    const call = isThread ? 'applyWrites' : 'putRecord';
    const request = { call, ownCid, ownRecord } as const;
    const called = isLookOnly
      ? await lookFor(post, entry, first)
      : await callHost(post, entry, request, send);
    if (called === null) return;
    if (called.decision.kind !== 'look') return settleDecision(post, entry, called);
    const { otherwise, maybeSent } = called.decision;
    const seen = { ...entry, maybeSent: entry.maybeSent || maybeSent };
    const looked = await lookFor(post, seen, first, otherwise);
    if (looked !== null) await settleDecision(post, seen, { ...looked, sentAt: called.sentAt });
  }

  async function lookFor(
    post: ClaimedPost,
    entry: Journalled,
    { rkey, cid: ownCid, record: ownRecord }: RecordWrite,
    otherwise?: Step,
  ): Promise<Called | null> {
    const request = {
      call: 'getRecord',
      ownCid,
      ownRecord,
      ...(otherwise && { otherwise }),
    } as const;
    const look = () => network.getRecord(post.host, post.did, rkey);
    return callHost(post, entry, request, look);
  }

  async function callHost(
    post: ClaimedPost,
    entry: Journalled,
    request: Pick<Situation, 'call' | 'ownCid' | 'ownRecord' | 'otherwise'>,
    send: () => Promise<NetworkResponse>,
  ): Promise<Called | null> {
    const permit = await hosts.enter(post.host, post.did);
    if (switches.stopReason(post) === 'outdated') await switches.refresh();
    // The last look reads memory only, right before the call.
    const isStopped = engine.stopping.aborted || switches.stopReason(post) !== null;
    if (permit.kind === 'wait' || isStopped) {
      if (permit.kind === 'go') permit.leave('no call');
      const situation = { ...situationOf(post, entry), call: 'getRecord', ownCid: '' } as const;
      await engine.settleUnpublished(
        permit.kind === 'wait' && !isStopped
          ? retryByHost(post, entry, permit, situation)
          : release(post, entry),
      );
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
    permit.leave(decision.hostSignal);
    return { decision, sentAt, failure: failedCall(post, response, sentAt) };
  }

  function failedCall(
    { host }: ClaimedPost,
    response: NetworkResponse | OwnFault,
    startedAt: number,
  ): FailedCall {
    const worker = engine.workerId;
    const endedAt = clock.now();
    return { host, ...failureOf(response), startedAt, endedAt, worker };
  }

  function situationOf(post: ClaimedPost, entry: Journalled): Omit<Situation, 'call' | 'ownCid'> {
    return {
      host: post.host,
      everSent: entry.maybeSent,
      firstSentAt: entry.maybeSent ? entry.firstSentAt : null,
      now: clock.now(),
      dueAt: lateFrom(post, entry),
      lateLimitMs: options.lateLimitMs,
      retryWindowMs: options.retryWindowMs,
      transientFailures: entry.failures,
      faults: entry.faults,
      previousCause: post.previousCause,
      random: engine.random,
    };
  }

  async function settleDecision(
    post: ClaimedPost,
    entry: Journalled,
    { decision, sentAt, failure }: Called,
  ): Promise<void> {
    if (decision.kind === 'look' || decision.kind === 'uploaded') {
      throw new Error(`A post cannot be settled by ${decision.kind}`);
    }
    if (decision.kind === 'retry' || decision.kind === 'hold' || decision.kind === 'fail') {
      if (decision.accountState !== undefined) await engine.disconnect(post, decision.accountState);
      const isUnsent = !decision.maybeSent && !entry.maybeSent;
      const about = { isUnsent, call: failure, now: clock.now() };
      return engine.settleUnpublished(afterStep(post, decision, about));
    }
    const { id: postId, attempt } = post;
    const rkey = entry.writes[0]?.rkey ?? '';
    const atUri = postUri(post.did, rkey);
    const { kind: outcome } = decision;
    const note =
      decision.kind === 'altered'
        ? { cause: decision.cause, sentence: operatorSentence(decision.cause, decision.facts) }
        : null;
    await engine.settlePublished({ postId, attempt, outcome, atUri, rkey, sentAt, note });
    engine.onPublished(post, sentAt);
  }

  return deliver;
}
