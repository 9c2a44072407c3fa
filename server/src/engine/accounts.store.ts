import { operatorSentence } from '@meridian/contract/causes';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Account } from '../network/network.ts';

/**
 * The network refused the account itself: its posts wait until it is connected again. Returns whether
 * that is new.
 */
export async function disconnectAccount(db: Db, userId: string, state: string): Promise<boolean> {
  const changed = await db.execute(sql`
    update accounts set state = ${state}, state_since = now()
    where user_id = ${userId} and state <> ${state}`);
  return changed > 0;
}

const LOOKED_AT_ONCE = sql.whole(20);
const SWITCHED_OFF = sql`('DEACTIVATED', 'TAKEN_DOWN')`;

/** Accounts that their hosts had switched off, with posts that wait for them: some of them, each time others. */
export async function listSwitchedOff(db: Db): Promise<Account[]> {
  return db.many<Account>(sql`
    select a.user_id as "userId", u.did, a.host from accounts a join users u on u.id = a.user_id
    where a.state in ${SWITCHED_OFF} and exists (
      select from posts where user_id = a.user_id and claim_at = 'infinity' and hold = 'account_off')
    order by random() limit ${LOOKED_AT_ONCE}`);
}

/** It is on another host now, where the person has to connect it. */
export async function reconnectMoved(db: Db, { userId, host }: Account): Promise<void> {
  await db.execute(sql`
    with moved as (
      update accounts set state = 'RECONNECT', state_since = now()
      where user_id = ${userId} and host = ${host} and state in ${SWITCHED_OFF} returning user_id)
    update posts p set hold = 'reconnect', cause = 'moved',
      error_msg = ${operatorSentence('moved', { host })}
    from moved where p.user_id = moved.user_id and p.claim_at = 'infinity' and p.hold = 'account_off'`);
}

/** Posts that waited for it are released by the table's trigger. */
export async function switchOn(db: Db, userId: string): Promise<void> {
  await db.execute(sql`
    update accounts set state = 'CONNECTED', state_since = now()
    where user_id = ${userId} and state in ${SWITCHED_OFF}`);
}
