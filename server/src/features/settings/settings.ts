import { settingsGet, settingsPatchBody, settingsUpdate } from '@meridian/contract/settings';
import type { Settings, SettingsPatchBody } from '@meridian/contract/settings';
import { USER_STATUSES } from '@meridian/contract/users';
import type { FastifyInstance } from 'fastify';
import { entryOf } from '../../audit/audit.store.ts';
import type { Author } from '../../audit/audit.store.ts';
import { totalOf } from '../../counters/counters.ts';
import { columnNames, columnsOf, jsonObject, patchOf } from '../../db/columns.ts';
import type { Columns } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { isExpected, sql } from '../../db/sql.ts';
import type { ExpectedVersions } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { expectedBy, register, tagged } from '../../http/register.ts';
import { counted, parsed } from '../noun.ts';
import type { Noun } from '../noun.ts';

export function settingsRoutes(
  app: FastifyInstance,
  { settings }: { settings: ReturnType<typeof createSettingsService> },
): void {
  register(app, settingsGet, async ({ reply }) => tagged(reply, await settings.get()));

  register(app, settingsUpdate, async ({ actor, body, request, reply }) =>
    tagged(reply, await settings.update(actor, body, expectedBy(request))),
  );
}

const SWITCHES = {
  is_closed_beta: 'is_closed_beta',
  is_service_suspended: 'is_service_suspended',
} as const satisfies Columns<keyof SettingsPatchBody>;
const TABLE = columnsOf<keyof Settings>()({
  ...SWITCHES,
  version: 'version',
  updated_at: 'updated_at',
});

const COLUMNS = columnNames(TABLE);
const STATE = jsonObject(SWITCHES);

export function createSettingsService(db: Database) {
  return {
    get: (): Promise<Settings> => getSettings(db),
    /** Two administrators who turn one switch each must not undo one another. */
    async update(
      by: Author,
      change: SettingsPatchBody,
      expected: ExpectedVersions = null,
    ): Promise<Settings> {
      const { set, isSame } = patchOf(SWITCHES, change);
      const { username, reason = null } = by;
      // A suspension in force keeps the name of who suspended.
      const isSuspending = sql`${change.is_service_suspended === true} and not is_service_suspended`;
      const settings = await db.maybeOne<Settings>(sql`
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
        audited as (${entryOf({ by, action: 'settingsUpdate' })})
        select ${COLUMNS} from changed`);
      if (settings === null) throw new AppError('settings_changed_elsewhere');
      return settings;
    },
  };
}

export async function getSettings(db: Db): Promise<Settings> {
  return db.one<Settings>(sql`select ${COLUMNS} from service_settings`);
}

const CEILING = 100_000;

export const settingsNoun = {
  topics: ['settings', 'engine'],
  reversal: {
    read: (db) => createSettingsService(db).get(),
    write: (db, by, { version }, before) =>
      createSettingsService(db).update(by, parsed(settingsPatchBody, before), [version]),
  },
  consequences: {
    async closedBeta(db) {
      const { total, withKeyword } = await db.one<{ total: number; withKeyword: number }>(sql`
        select ${totalOf('users', USER_STATUSES)} as total,
               (select count(*) from (select from users where has_access_keyword_access
                limit ${sql.whole(CEILING)}) as found) as "withKeyword"`);
      return [
        `${counted(total, 'existing user keeps', 'existing users keep')} access; ${counted(withKeyword, 'of them has', 'of them have')} an access keyword.`,
      ];
    },
  },
} satisfies Noun;
