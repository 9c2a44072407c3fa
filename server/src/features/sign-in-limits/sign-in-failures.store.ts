import { AUDIT_ACTIONS } from '@meridian/contract/audit-actions';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type SignInFailure = {
  action: 'authLoginFailed' | 'authThrottled';
  /** The administrator of the given name, disabled or not; null for an unknown name. */
  admin: { id: string; username: string } | null;
  requestId: string;
  network: string;
};

/** Audit entries about failed sign-ins of one administrator per hour; beyond that they are only counted. */
export const ENTRIES_PER_HOUR = 60;
const RETENTION_DAYS = 90;
const MAX_ROWS = 10_000;

/**
 * Counts a failed sign-in by network, and writes it to the audit log if the name is that of an
 * administrator: invented names would let the log grow without limit. The same statement for every
 * name, so that its cost reveals nothing. The audit entry comes last, as it locks the hash chain.
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
    select ${admin?.username ?? null}::text, ${action}::text, ${AUDIT_ACTIONS[action].entity}::text,
           ${admin?.id ?? null}::text, ${requestId}::uuid, ${network}::text
    from limited where entries <= ${ENTRIES_PER_HOUR}::int`);
}

/** Deletes old counters, and the oldest beyond a maximum. */
export async function deleteOldFailures(db: Db, max = MAX_ROWS): Promise<void> {
  await db.execute(sql`
    delete from sign_in_failures
    where last_at < now() - make_interval(days => ${RETENTION_DAYS})
       or last_at <= (
         select last_at from sign_in_failures
         order by last_at desc offset ${sql.whole(max)} limit 1)`);
}
