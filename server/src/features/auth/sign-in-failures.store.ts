import { entityOf } from '../../audit/actions.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type SignInFailure = {
  action: 'authLoginFailed' | 'authThrottled';
  /** The administrator whose name was given, disabled or not; null when no administrator has it. */
  admin: { id: string; username: string } | null;
  requestId: string;
  network: string;
};

/** Entries of the audit log about failed sign-ins of one administrator in an hour; more are counted. */
export const ENTRIES_PER_HOUR = 60;
const KEPT_DAYS = 90;
const MAX_ROWS = 10_000;

/**
 * Counts a failed sign-in by its network, and puts it into the audit log when it is about an
 * administrator: names that are invented would make the log grow without end. One statement for
 * every name, so that its cost tells nothing. The counters come first: the end of the chain is the
 * last thing to be locked.
 */
export async function recordFailure(db: Db, failure: SignInFailure): Promise<void> {
  const { action, admin, requestId, network } = failure;
  const isThrottled = action === 'authThrottled';
  await db.execute(sql`
    with counted as (
      insert into sign_in_failures as f
        (day, network, failures, unknown_names, throttled, first_at, last_at)
      values ((now() at time zone 'UTC')::date, ${network}, ${isThrottled ? 0 : 1}::int,
              ${isThrottled || admin !== null ? 0 : 1}::int, ${isThrottled ? 1 : 0}::int, now(), now())
      on conflict (day, network) do update set
        failures = f.failures + excluded.failures,
        unknown_names = f.unknown_names + excluded.unknown_names,
        throttled = f.throttled + excluded.throttled,
        last_at = excluded.last_at
      returning true),
    limited as (
      insert into admin_failure_entries as e (admin_id, hour, entries)
      select ${admin?.id ?? null}::uuid, date_trunc('hour', now()), 1 from counted
      where ${admin?.id ?? null}::uuid is not null
      on conflict (admin_id) do update set
        hour = excluded.hour,
        entries = case when e.hour = excluded.hour then e.entries + 1 else 1 end
      returning entries)
    insert into audit_log (actor_name, action, entity, entity_id, request_id, network)
    select ${admin?.username ?? null}::text, ${action}::text, ${entityOf(action)}::text,
           ${admin?.id ?? null}::text, ${requestId}::uuid, ${network}::text
    from limited where entries <= ${ENTRIES_PER_HOUR}::int`);
}

/** Old counters go, and of a flood from many networks the earliest ones. Cheap enough for every minute. */
export async function deleteOldFailures(db: Db, most = MAX_ROWS): Promise<void> {
  await db.execute(sql`
    delete from sign_in_failures
    where last_at < now() - make_interval(days => ${KEPT_DAYS})
       or last_at <= (
         select last_at from sign_in_failures
         order by last_at desc offset ${sql.whole(most)} limit 1)`);
}
