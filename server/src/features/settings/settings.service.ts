import type { Settings, SettingsPatchBody } from '@meridian/contract/settings';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import * as store from './settings.store.ts';

export function createSettingsService(db: Database) {
  return {
    get: (): Promise<Settings> => store.getSettings(db),
    async update(
      by: Author,
      change: SettingsPatchBody,
      expected: ExpectedVersions = null,
    ): Promise<Settings> {
      const audit = { by, action: 'settingsUpdate' } as const;
      const settings = await store.updateSettings(db, change, expected, audit);
      if (settings === null) throw new AppError('settings_changed_elsewhere');
      return settings;
    },
  };
}
