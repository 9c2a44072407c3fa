import type { Settings } from '@meridian/contract/settings';
import { entryOf } from '../../audit/entry.ts';
import type { Deed } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type SettingsChange = {
  is_closed_beta?: boolean | undefined;
  is_service_suspended?: boolean | undefined;
};

const COLUMNS = sql`is_closed_beta, is_service_suspended, updated_at`;
const STATE = sql`jsonb_build_object(
  'is_closed_beta', is_closed_beta, 'is_service_suspended', is_service_suspended)`;

export async function getSettings(db: Db): Promise<Settings> {
  return db.one<Settings>(sql`select ${COLUMNS} from service_settings`);
}

/** Writes only the switches that are named: two administrators turning one each do not undo one another. */
export async function updateSettings(
  db: Db,
  change: SettingsChange,
  deed: Deed,
): Promise<Settings> {
  const assignments = [sql`updated_at = now()`];
  if (change.is_closed_beta !== undefined) {
    assignments.push(sql`is_closed_beta = ${change.is_closed_beta}`);
  }
  if (change.is_service_suspended !== undefined) {
    assignments.push(sql`is_service_suspended = ${change.is_service_suspended}`);
  }
  return db.one<Settings>(sql`
    with old as (select id as key, ${STATE} as was from service_settings for no key update),
    changed as (
      update service_settings set ${sql.join(assignments)} from old where id = key
      returning id, ${COLUMNS}, was, ${STATE} as became),
    noted as (${entryOf(deed)})
    select ${COLUMNS} from changed`);
}
