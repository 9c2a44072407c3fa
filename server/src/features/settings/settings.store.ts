import { USER_STATUSES } from '@meridian/contract/users';
import type { Settings, SettingsPatchBody } from '@meridian/contract/settings';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import { totalOf } from '../../counters/totals.ts';
import { columnNames, columnsOf, jsonObject, patchOf } from '../../db/columns.ts';
import type { Columns } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';

/** The switches. The fields on the wire have the names of the columns. */
const SWITCHES = {
  is_closed_beta: 'is_closed_beta',
  is_service_suspended: 'is_service_suspended',
} as const satisfies Columns<keyof SettingsPatchBody>;
const TABLE = columnsOf<keyof Settings>()({
  ...SWITCHES,
  version: 'version',
  updated_at: 'updated_at',
});

/** A count stops here: from here on there are many. */
const CEILING = 100_000;

const COLUMNS = columnNames(TABLE);
const STATE = jsonObject(SWITCHES);

export async function getSettings(db: Db): Promise<Settings> {
  return db.one<Settings>(sql`select ${COLUMNS} from service_settings`);
}

/**
 * Writes only the switches that are named: two administrators turning one each do not undo one
 * another. Null when the settings are not in an expected version. No change, no new version.
 */
export async function updateSettings(
  db: Db,
  change: SettingsPatchBody,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<Settings | null> {
  const { set, isSame } = patchOf(SWITCHES, change);
  const { username, reason = null } = audit.by;
  // Not when it is suspended already: that suspension keeps its author.
  const isSuspending = sql`${change.is_service_suspended === true} and not is_service_suspended`;
  return db.maybeOne<Settings>(sql`
    with old as (
      select id as key, ${STATE} as was from service_settings
      where ${isExpected(expected)} for no key update),
    changed as (
      update service_settings set
        ${set},
        suspended_by = case when ${isSuspending} then ${username} else suspended_by end,
        suspension_reason = case when ${isSuspending} then ${reason} else suspension_reason end,
        version = case when ${isSame} then version else version + 1 end,
        updated_at = case when ${isSame} then updated_at else now() end
      from old where id = key
      returning id, ${COLUMNS}, was, ${STATE} as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed`);
}

/** Users, and those who have an access keyword. */
export async function countAccess(db: Db): Promise<{ total: number; withKeyword: number }> {
  return db.one(sql`
    select ${totalOf('users', USER_STATUSES)} as total,
           (select count(*) from (select from users where has_access_keyword_access
            limit ${sql.whole(CEILING)}) as found) as "withKeyword"`);
}
