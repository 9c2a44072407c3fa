import type { LimitsOverride, Ticket } from '@meridian/contract/tickets';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A ticket with its issuer; the plan is joined by the caller, once for many tickets. */
export type TicketRow = Omit<Ticket, 'plan' | 'issuer'> & {
  issuerName: string | null;
  issuerHandle: string;
};

export type NewTicket = {
  id: string;
  code: string;
  planId: string;
  issuerId: string;
  validDays: number;
  maxRedemptions: number | null;
  redemptionDeadline: string | null;
  memo: string | null;
  limitsOverride: LimitsOverride | null;
};

/** Not the stored one: past its deadline a ticket is EXPIRED. */
export const STATUS = sql`ticket_status(t.status, t.redemption_deadline)`;
export const COLUMNS = sql`
  t.id, t.code, ${STATUS} as status,
  t.plan_id as "planId", a.display_name as "issuerName", a.username as "issuerHandle",
  t.valid_days as "validDays", t.max_redemptions as "maxRedemptions",
  t.redemption_count as "redemptionCount", t.issued_at as "issuedAt",
  t.redemption_deadline as "redemptionDeadline", t.updated_at as "updatedAt", t.memo,
  t.limits_override as "limitsOverride"`;
const STORED = sql`
  id, code, status, plan_id, issuer_id, valid_days, max_redemptions, redemption_count, issued_at,
  redemption_deadline, updated_at, memo, limits_override`;
/** For the record. A code is a bearer secret until it is used: its first group tells it apart. */
const ISSUED = sql`jsonb_build_object(
  'code', left(code, 4) || '-****-****-****', 'planId', plan_id, 'validDays', valid_days,
  'maxRedemptions', max_redemptions, 'redemptionDeadline', redemption_deadline, 'memo', memo,
  'limitsOverride', limits_override)`;
export const ISSUER = sql`join admins a on a.id = t.issuer_id`;

export async function findTicket(db: Db, id: string): Promise<TicketRow | null> {
  return db.maybeOne<TicketRow>(sql`select ${COLUMNS} from tickets t ${ISSUER} where t.id = ${id}`);
}

/** Null when the deadline has passed, by the database's clock. */
export async function insertTicket(
  db: Db,
  ticket: NewTicket,
  audit: AuditContext,
): Promise<TicketRow | null> {
  const { limitsOverride } = ticket;
  return db.maybeOne<TicketRow>(sql`
    with changed as (
      insert into tickets (id, code, plan_id, issuer_id, valid_days, max_redemptions,
                           redemption_deadline, memo, limits_override)
      select ${ticket.id}::uuid, ${ticket.code}, ${ticket.planId}::uuid, ${ticket.issuerId}::uuid,
             ${ticket.validDays}::int, ${ticket.maxRedemptions}::int, new.deadline, ${ticket.memo},
             ${limitsOverride === null ? null : sql.json(limitsOverride)}::jsonb
      from (select ${ticket.redemptionDeadline}::timestamptz as deadline) new
      where new.deadline is null or new.deadline > now()
      returning ${STORED}, null::jsonb as was, ${ISSUED} as became),
    noted as (${entryOf(audit)})
    select ${COLUMNS} from changed t ${ISSUER}`);
}

/** Null when there is no such ticket, or it is not unused any more. */
export async function revokeTicket(
  db: Db,
  id: string,
  audit: AuditContext,
): Promise<TicketRow | null> {
  return db.maybeOne<TicketRow>(sql`
    with changed as (
      update tickets set status = 'REVOKED', updated_at = now()
      where id = ${id} and ticket_status(status, redemption_deadline) = 'UNUSED'
        and redemption_count = 0
      returning ${STORED},
        -- By the condition above it can have been nothing else.
        jsonb_build_object('status', 'UNUSED') as was, jsonb_build_object('status', status) as became),
    noted as (${entryOf(audit)})
    select ${COLUMNS} from changed t ${ISSUER}`);
}

/** How often a ticket can still be redeemed; null for any number of times, undefined when unknown. */
export async function countRedemptionsLeft(db: Db, id: string): Promise<number | null | undefined> {
  const row = await db.maybeOne<{ n: number | null }>(sql`
    select max_redemptions - redemption_count as n from tickets where id = ${id}`);
  return row === null ? undefined : row.n;
}
