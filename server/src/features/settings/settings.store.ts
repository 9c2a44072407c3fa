import type { Settings } from '@meridian/contract/settings';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type SettingsChange = {
  is_closed_beta?: boolean | undefined;
  is_service_suspended?: boolean | undefined;
};

const COLUMNS = sql`is_closed_beta, is_service_suspended, updated_at`;

export async function getSettings(db: Db): Promise<Settings> {
  return db.one<Settings>(sql`select ${COLUMNS} from service_settings`);
}

/** Writes only the switches that are named: two administrators turning one each do not undo one another. */
export async function updateSettings(db: Db, change: SettingsChange): Promise<Settings> {
  const assignments = [sql`updated_at = now()`];
  if (change.is_closed_beta !== undefined) {
    assignments.push(sql`is_closed_beta = ${change.is_closed_beta}`);
  }
  if (change.is_service_suspended !== undefined) {
    assignments.push(sql`is_service_suspended = ${change.is_service_suspended}`);
  }
  return db.one<Settings>(sql`
    update service_settings set ${sql.join(assignments)} returning ${COLUMNS}`);
}
