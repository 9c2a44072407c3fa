import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** The network refused the account itself: its posts wait until it is connected again. */
export async function disconnectAccount(db: Db, userId: string, state: string): Promise<void> {
  await db.execute(sql`
    update accounts set state = ${state}, state_since = now()
    where user_id = ${userId} and state <> ${state}`);
}
