import { TICKET_CODE_ALPHABET } from '@meridian/contract/tickets';
import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { Sql } from '../src/db/sql.ts';

/** Small enough for the statement timeout on a busy machine. */
const CHUNK = 2_000;

type ManyTickets = { planId: string; issuerId: string; count: number };

/**
 * So many tickets, a second apart, the first being the newest. Every third shares
 * its time with its neighbour, so that ids break ties. By number: a sixth each are REVOKED, redeemed,
 * and past their deadline while stored as UNUSED; the others are UNUSED. Every tenth has a memo.
 */
export async function insertManyTickets(db: Db, { count, ...of }: ManyTickets): Promise<void> {
  for (let first = 1; first <= count; first += CHUNK) {
    await insertChunk(db, of, first, Math.min(first + CHUNK - 1, count));
  }
}

async function insertChunk(
  db: Db,
  { planId, issuerId }: Omit<ManyTickets, 'count'>,
  first: number,
  last: number,
): Promise<void> {
  await db.execute(sql`
    insert into tickets (id, code, status, plan_id, issuer_id, valid_days, max_redemptions,
      redemption_count, issued_at, updated_at, redemption_deadline, memo)
    select md5(number::text || 'ticket')::uuid,
           'TEST-' || ${letter(15)} || ${letter(10)} || ${letter(5)} || ${letter(0)} || '-AAAA-BBBB',
           case number % 6 when 0 then 'REVOKED' when 1 then 'ACTIVE' else 'UNUSED' end,
           ${planId}::uuid, ${issuerId}::uuid, 30, 5,
           case number % 6 when 1 then 2 else 0 end,
           issued, issued,
           case number % 6 when 2 then issued + interval '1 day'
                           when 3 then timestamptz '2099-06-30Z' end,
           case when number % 10 = 0 then 'Memo ' || number || ' for the spring campaign' end
    from generate_series(${first}::int, ${last}::int) as number,
         lateral (select timestamptz '2026-03-01Z'
                         - interval '1 second' * (number - (number % 3) / 2) as issued) as times`);
}

/** Five bits of the number in the alphabet of codes. */
function letter(shift: number): Sql {
  return sql`substr(${TICKET_CODE_ALPHABET}, 1 + (number >> ${shift}::int) % 32, 1)`;
}
