import type { Random } from '@meridian/demo/random';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { given } from './stage.ts';
import type { Stage, StagedPost, StagedUser } from './stage.ts';

/** How much later a rescheduled post is due. */
const LATER_MS = 2_000;
const HOUR_MS = 3_600_000;

type Switch = {
  /** Reports the status before, and the time as late as possible before the commit. */
  off: (post: string, user: string) => Sql;
  on?: (user: string) => Sql;
  /** Of a post that did not go out before. */
  hold?: string;
};

export const AT = sql`(extract(epoch from clock_timestamp()) * 1000)::float8 as at`;
const ofUser = (user: string, change: Sql) =>
  sql`update users set ${change} where id = ${user} returning null as status, ${AT}`;
const ofAccount = (user: string, state: string) =>
  sql`update accounts set state = ${state} where user_id = ${user} returning null as status, ${AT}`;
const ofPost = (post: string, change: Sql) => sql`
  update posts p set ${change} from posts before
  where p.id = ${post} and before.id = p.id and p.status in ('PENDING', 'PROCESSING')
  returning before.status, ${AT}`;

export const SWITCHES: Record<string, Switch> = {
  'user status': {
    off: (_, user) => ofUser(user, sql`status = 'SUSPENDED'`),
    on: (user) => ofUser(user, sql`status = 'ACTIVE'`),
    hold: 'user_off',
  },
  'active flag': {
    off: (_, user) => ofUser(user, sql`is_active = false`),
    on: (user) => ofUser(user, sql`is_active = true`),
    hold: 'user_off',
  },
  disconnect: {
    off: (_, user) => ofAccount(user, 'RECONNECT'),
    on: (user) => ofAccount(user, 'CONNECTED'),
    hold: 'reconnect',
  },
  cancel: { off: (post) => ofPost(post, sql`status = 'CANCELLED'`) },
  delete: { off: (post) => sql`delete from posts where id = ${post} returning status, ${AT}` },
  reschedule: {
    off: (post) =>
      ofPost(post, sql`scheduled_at = p.scheduled_at + ${LATER_MS} * interval '1 millisecond'`),
  },
};

export type Trial = { kind: string; post: string; user: StagedUser; dueAt: number };

/** `status` is that before the switch, where the switch is one of the post; null for a user's. */
export type Switched = Trial & { at: number; status: string | null };

/** So many posts for each switch, due one after the other in random order. */
export async function addTrials(
  stage: Stage,
  users: readonly StagedUser[],
  random: Random,
  { leadMs, everyMs }: { leadMs: number; everyMs: number },
): Promise<Trial[]> {
  const kinds = Object.keys(SWITCHES);
  const madeFor = Date.now() + HOUR_MS;
  const making = random.shuffled(users).map(async (user, index) => {
    const dueAt = madeFor + index * everyMs;
    const kind = given(kinds[index % kinds.length]);
    return { kind, user, dueAt, post: await stage.addPost(user, dueAt - Date.now()) };
  });
  const trials = await Promise.all(making);
  const earlier = madeFor - Date.now() - leadMs;
  await stage.bringForward(earlier);
  return trials.map(({ kind, user, post, dueAt }) => ({
    kind,
    user,
    post,
    dueAt: dueAt - earlier,
  }));
}

/** Switches off at that moment. */
export async function switchOff(stage: Stage, trial: Trial, moment: number): Promise<Switched> {
  await stage.until(moment);
  const { off } = given(SWITCHES[trial.kind]);
  const row = await stage.db.maybeOne<{ at: number; status: string | null }>(
    off(trial.post, trial.user.id),
  );
  return { ...trial, ...(row ?? { at: Date.now(), status: 'COMPLETED' }) };
}

/** How long after its switch each post was seen that was, and was not to go out later anyway. */
export function lagsOf(switched: readonly Switched[], seen: ReadonlyMap<string, number>): number[] {
  return switched.flatMap(({ kind, post, at, dueAt }) => {
    const seenAt = seen.get(post) ?? 0;
    const isPlanned = kind === 'reschedule' && seenAt >= dueAt + LATER_MS;
    return seenAt > at && !isPlanned ? [seenAt - at] : [];
  });
}

type End = {
  kind: string;
  status: string | null;
  cause: string | null;
  sentence: string | null;
  hasAddress: boolean;
  isAudited: boolean;
  isEarly: boolean;
};

/** What became of a post, and what should have: `seenAt` is when it arrived. */
export function endsOf(
  trial: Switched,
  found: { post: StagedPost | undefined; seenAt: number | undefined; isAudited: boolean },
): { actual: End; expected: End } {
  const { kind, status: before, dueAt } = trial;
  const { post, seenAt = null, isAudited } = found;
  const isOut = seenAt !== null;
  const wasOpen = before !== 'COMPLETED';
  const isCancelled = kind === 'cancel' && wasOpen;
  const isDeleted = kind === 'delete';
  const isPostponed = kind === 'reschedule' && before === 'PENDING';
  return {
    actual: {
      kind,
      status: post?.status ?? null,
      cause: post?.cause ?? null,
      sentence: post?.errorMessage ?? null,
      hasAddress: (post?.atUri ?? null) !== null,
      isAudited,
      isEarly: isPostponed && (seenAt ?? 0) < dueAt + LATER_MS,
    },
    expected: {
      kind,
      status: isDeleted ? null : isCancelled ? 'CANCELLED' : 'COMPLETED',
      cause: isCancelled && isOut ? 'published_after_cancel' : null,
      sentence: isCancelled && isOut ? 'Was already published when it was cancelled' : null,
      // What was neither cancelled nor deleted went out by now, be it later.
      hasAddress: !isDeleted && (!isCancelled || isOut),
      isAudited: isDeleted && wasOpen && isOut,
      isEarly: false,
    },
  };
}
