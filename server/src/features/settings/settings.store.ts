import type { Settings } from '@meridian/contract/settings';
import { entryOf } from '../../audit/entry.ts';
import type { Deed } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';

export type SettingsChange = {
  is_closed_beta?: boolean | undefined;
  is_service_suspended?: boolean | undefined;
};

const COLUMNS = sql`is_closed_beta, is_service_suspended, version, updated_at`;
const STATE = sql`jsonb_build_object(
  'is_closed_beta', is_closed_beta, 'is_service_suspended', is_service_suspended)`;

export async function getSettings(db: Db): Promise<Settings> {
  return db.one<Settings>(sql`select ${COLUMNS} from service_settings`);
}

/**
 * Writes only the switches that are named: two administrators turning one each do not undo one
 * another. Null when the settings are not in an expected version. No change, no new version.
 */
export async function updateSettings(
  db: Db,
  change: SettingsChange,
  expected: ExpectedVersions,
  deed: Deed,
): Promise<Settings | null> {
  const values = sql`
    coalesce(${change.is_closed_beta ?? null}, is_closed_beta),
    coalesce(${change.is_service_suspended ?? null}, is_service_suspended)`;
  const isSame = sql`row(is_closed_beta, is_service_suspended) = row(${values})`;
  return db.maybeOne<Settings>(sql`
    with old as (
      select id as key, ${STATE} as was from service_settings
      where ${isExpected(expected)} for no key update),
    changed as (
      update service_settings set
        (is_closed_beta, is_service_suspended) = row(${values}),
        version = case when ${isSame} then version else version + 1 end,
        updated_at = case when ${isSame} then updated_at else now() end
      from old where id = key
      returning id, ${COLUMNS}, was, ${STATE} as became),
    noted as (${entryOf(deed)})
    select ${COLUMNS} from changed`);
}
