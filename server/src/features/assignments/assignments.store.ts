import type { Assignment } from '@meridian/contract/assignments';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** An assignment `a` as it is answered, with what it points to. */
const COLUMNS = sql`
  a.id, assignment_status(a.status, a.expires_at) as status,
  a.activated_at as "activatedAt", a.expires_at as "expiresAt", a.created_at as "createdAt",
  case when t.id is not null then json_build_object('id', t.id, 'code', t.code) end as ticket,
  t.limits_override as "limitsOverride",
  json_build_object(
    'id', u.id, 'displayName', u.display_name, 'handle', u.handle, 'did', u.did) as "user",
  json_build_object(
    'id', p.id, 'name', p.name, 'displayName', p.display_name, 'tier', p.tier,
    'limits', p.limits) as plan`;

const JOINS = sql`
  join users u on u.id = a.user_id
  join plans p on p.id = a.plan_id
  left join tickets t on t.id = a.ticket_id`;

export async function listOfUser(db: Db, userId: string): Promise<Assignment[]> {
  return db.many<Assignment>(sql`
    select ${COLUMNS} from plan_assignments a ${JOINS}
    where a.user_id = ${userId} order by a.created_at desc, a.id desc`);
}

export async function listOfTicket(db: Db, ticketId: string): Promise<Assignment[]> {
  return db.many<Assignment>(sql`
    select ${COLUMNS} from plan_assignments a ${JOINS}
    where a.ticket_id = ${ticketId} order by a.created_at desc, a.id desc`);
}

export async function assignmentExists(db: Db, id: string, userId: string): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`
    select exists (
      select from plan_assignments where id = ${id} and user_id = ${userId}) as found`);
  return row.found;
}

/** Null when this user has no such assignment, or it is no longer active. */
export async function revoke(
  db: Db,
  id: string,
  userId: string,
  audit: AuditContext,
): Promise<Assignment | null> {
  return db.maybeOne<Assignment>(sql`
    with changed as (
      update plan_assignments set status = 'REVOKED', revoked_at = now()
      where id = ${id} and user_id = ${userId}
        and assignment_status(status, expires_at) = 'ACTIVE'
      returning id, user_id, plan_id, ticket_id, status, activated_at, expires_at, created_at,
        -- By the condition above it can have been nothing else.
        jsonb_build_object('status', 'ACTIVE') as was, jsonb_build_object('status', status) as became),
    noted as (${entryOf(audit)})
    select ${COLUMNS} from changed a ${JOINS}`);
}
