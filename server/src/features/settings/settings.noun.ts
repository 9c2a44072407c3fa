import { settingsPatchBody } from '@meridian/contract/settings';
import { counted, parsed } from '../noun.ts';
import type { Noun } from '../noun.ts';
import { createSettingsService } from './settings.service.ts';
import { countAccess } from './settings.store.ts';

export const settingsNoun = {
  topics: ['settings', 'engine'],
  reversal: {
    read: (db) => createSettingsService(db).get(),
    write: (db, by, { version }, before) =>
      createSettingsService(db).update(by, parsed(settingsPatchBody, before), [version]),
  },
  consequences: {
    async closedBeta(db) {
      const { total, withKeyword } = await countAccess(db);
      return [
        `${counted(total, 'existing user keeps', 'existing users keep')} access; ${counted(withKeyword, 'of them has', 'of them have')} an access keyword.`,
      ];
    },
  },
} satisfies Noun;
