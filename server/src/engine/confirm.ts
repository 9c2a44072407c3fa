import { operatorSentence } from '@meridian/contract/causes';
import { propertyOf } from '@meridian/contract/untrusted';
import type { Logger } from 'pino';
import type { EngineOptions } from '../config.ts';
import type { Db } from '../db/database.ts';
import { isUnavailable } from '../db/errors.ts';
import { sql } from '../db/sql.ts';
import { postUri } from '../network/network.ts';
import type { Account, Network, RecordWrite } from '../network/network.ts';
import type { ClaimedPost } from './claim.ts';
import type { Clock } from './heartbeat.ts';
import type { Hosts } from './hosts.ts';
import type { Journalled } from './journal.ts';
import { decide } from './outcome.ts';
import type { Step } from './outcome.ts';
import type { Published } from './settle.ts';

type Post = Pick<ClaimedPost, 'id' | 'did' | 'host' | 'attempt'>;
type Entry = Pick<Journalled, 'writes' | 'journalledAt'>;

type ConfirmOptions = {
  network: Network;
  clock: Clock;
  hosts: Hosts;
  options: EngineOptions;
  log: Logger;
  settlePublished: (published: Published) => Promise<void>;
  planLook: (post: Post, inMs: number | null) => Promise<void>;
};

const NOT_PUBLIC: Step = { kind: 'fail', outcome: 'refused', cause: 'unknown_outcome', facts: {} };
/** The backoff starts with the third wait: the host had its chance to respond to the worker. */
const FAILURES = 2;

export function createConfirm(engine: ConfirmOptions) {
  const { network, clock, hosts, options } = engine;

  async function confirm(post: Post, entry: Entry | null): Promise<void> {
    const write = entry?.writes[0];
    if (entry === null || write === undefined) return engine.planLook(post, null);
    const { id: postId, attempt, host, did } = post;
    const { rkey } = write;
    const sentAt = entry.journalledAt;
    const permit = await hosts.enter(host, did);
    if (permit.kind === 'wait') return engine.planLook(post, permit.inMs);
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
      ownCid: write.cid,
      ownRecord: write.record,
      transientFailures: FAILURES,
      faults: FAILURES,
      otherwise: NOT_PUBLIC,
    });
    permit.leave(decision.hostSignal);
    if (decision.kind === 'already' || decision.kind === 'altered') {
      const atUri = postUri(did, rkey);
      const outcome = decision.kind;
      return engine.settlePublished({ postId, attempt, outcome, atUri, rkey, sentAt, note: null });
    }
    return engine.planLook(post, decision.kind === 'retry' ? decision.at - clock.now() : null);
  }

  return async (post: Post, entry: Entry | null): Promise<void> => {
    try {
      await confirm(post, entry);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      engine.log.error({ err: error, postId: post.id }, 'A post could not be confirmed');
      await engine.planLook(post, null);
    }
  };
}

const DELETED_BATCH = sql.whole(50);

/** The lease keeps other workers from asking at the same time. */
export async function claimDeleted(db: Db, leaseMs: number) {
  type Deleted = Pick<ClaimedPost, 'id' | 'did' | 'host'> &
    Pick<Journalled, 'journalledAt'> & { writes: RecordWrite[] };
  const rows = await db.many<Deleted>(sql`
    with due as materialized (
      select post_id from deliveries where look_at <= now()
      order by look_at limit ${DELETED_BATCH} for no key update skip locked)
    update deliveries d set look_at = now() + ${leaseMs} * interval '1 millisecond'
    from due where d.post_id = due.post_id
    returning d.post_id as id, d.did, d.host, d.writes,
      (extract(epoch from d.journalled_at) * 1000)::float8 as "journalledAt"`);
  return rows.map(({ writes, journalledAt, ...post }) => ({
    post: { ...post, attempt: 0 },
    entry: { writes, journalledAt },
  }));
}

/** A post that another transaction has locked keeps its lease, and is asked about again after it. */
export async function planLook(db: Db, postId: string, inMs: number | null): Promise<void> {
  const next = sql`now() + ${inMs}::float8 * interval '1 millisecond'`;
  await db.execute(sql`
    with deleted as (
      update deliveries set look_at = ${next},
        settled_at = case when ${inMs}::float8 is null then now() end,
        outcome = case when ${inMs}::float8 is null then 'unknown' end,
        writes = case when ${inMs}::float8 is null then without_records(writes) else writes end
      where post_id = ${postId} and look_at is not null),
    free as materialized (
      select id from posts where id = ${postId} and (status in ('COMPLETED', 'FAILED', 'CANCELLED')) is true
      for no key update skip locked)
    update posts p set claim_at = ${next} from free where p.id = free.id`);
}

export async function disconnectAccount(db: Db, userId: string, state: string): Promise<boolean> {
  const changed = await db.execute(sql`
    update accounts set state = ${state}, state_since = now()
    where user_id = ${userId} and state <> ${state}`);
  return changed > 0;
}

const LOOKED_AT_ONCE = sql.whole(20);
const SWITCHED_OFF = sql`('DEACTIVATED', 'TAKEN_DOWN')`;

type AccountsOptions = {
  db: Db;
  network: Pick<Network, 'getRepoStatus' | 'findHost'>;
  hosts: Pick<Hosts, 'enter'>;
};

/** No host announces that an account is active again, so it is asked while posts wait for that. */
export async function confirmAccounts({ db, network, hosts }: AccountsOptions): Promise<void> {
  async function isActive({ host, did }: Account): Promise<boolean> {
    const permit = await hosts.enter(host, did);
    if (permit.kind === 'wait') return false;
    try {
      const response = await network.getRepoStatus(host, did);
      const isKnown = response.kind === 'response' && response.status === 200;
      return isKnown && propertyOf(response.body, 'active') === true;
    } finally {
      permit.leave('no call');
    }
  }
  /** A user who moves leaves a deactivated account behind. */
  async function hasMoved({ host, did }: Account): Promise<boolean> {
    const named = await network.findHost(did);
    return named !== null && named !== URL.parse(host)?.origin;
  }
  const accounts = await db.many<Account>(sql`
    select a.user_id as "userId", u.did, a.host from accounts a join users u on u.id = a.user_id
    where a.state in ${SWITCHED_OFF} and exists (
      select from posts where user_id = a.user_id and claim_at = 'infinity' and hold = 'account_off')
    order by random() limit ${LOOKED_AT_ONCE}`);
  await Promise.all(
    accounts.map(async (account) => {
      if (await hasMoved(account)) await reconnectMoved(db, account);
      else if (await isActive(account)) await switchOn(db, account.userId);
    }),
  );
}

async function reconnectMoved(db: Db, { userId, host }: Account): Promise<void> {
  await db.execute(sql`
    with moved as (
      update accounts set state = 'RECONNECT', state_since = now()
      where user_id = ${userId} and host = ${host} and state in ${SWITCHED_OFF} returning user_id)
    update posts p set hold = 'reconnect', cause = 'moved',
      error_msg = ${operatorSentence('moved', { host })}
    from moved where p.user_id = moved.user_id and p.claim_at = 'infinity' and p.hold = 'account_off'`);
}

/** The table's trigger releases the posts that waited for the account. */
async function switchOn(db: Db, userId: string): Promise<void> {
  await db.execute(sql`
    update accounts set state = 'CONNECTED', state_since = now()
    where user_id = ${userId} and state in ${SWITCHED_OFF}`);
}
