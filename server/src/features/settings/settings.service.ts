import type { Settings } from '@meridian/contract/settings';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import * as store from './settings.store.ts';

export type SettingsService = ReturnType<typeof createSettingsService>;

export function createSettingsService(db: Database) {
  return {
    get: (): Promise<Settings> => store.getSettings(db),
    update: (by: Author, change: store.SettingsChange): Promise<Settings> =>
      store.updateSettings(db, change, { by, action: 'settingsUpdate' }),
  };
}
