import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { grantPlan, insertPost, insertUser } from './fixtures.ts';
import { insertKeyword } from './members.ts';
import { insertCurrency } from './plan-fixtures.ts';

/** Every call that needs a session. */
export const SHUT_CALLS: readonly Endpoint[] = ENDPOINTS.filter(
  ({ credential }) => credential === 'bearer',
);

/** The address of a call on rows that are there, so that one which slips through would find its prey. */
export type Aim = (endpoint: Endpoint) => string;

/** Needs an administrator, as the issuer of the ticket. */
export async function aimAtRows(db: Db): Promise<Aim> {
  const user = await insertUser(db);
  const post = await insertPost(db, user);
  const { assignmentId, planId, ticketId } = await grantPlan(db, user, {
    code: 'ABCD-EFGH-JKLM-NPQR',
  });
  const ids: Record<string, string | null> = {
    users: user,
    posts: post,
    plans: planId,
    tickets: ticketId,
    currencies: await insertCurrency(db, 'usd'),
    audit: '1',
    'bulk-changes': await insertBulkChange(db),
    'access-keywords': await insertKeyword(db, { word: 'aimed-at-this' }),
  };
  return ({ path }) => {
    const noun = path.split('/')[3] ?? '';
    return path.replace('{id}', ids[noun] ?? '').replace('{assignmentId}', assignmentId);
  };
}

export async function insertBulkChange(db: Db): Promise<string> {
  const { id } = await db.one<{ id: string }>(sql`
    insert into bulk_changes (id, action, selection, digest, state, total, admin_id, made_by, started_at)
    select gen_random_uuid(), 'postCancel', '{}', '', 'RUNNING', 0, id, username, now()
    from admins limit 1 returning id`);
  return id;
}
