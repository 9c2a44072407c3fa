import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, SOME_FIELD, someField, timestamp } from './fields.ts';

export const SETTINGS_MESSAGES = {
  loadFailed: 'Failed to load service settings',
  updateFailed: 'Failed to update settings',
} as const;

export const settings = z.object({
  is_closed_beta: z.boolean(),
  is_service_suspended: z.boolean(),
  /** For If-Match. */
  version: z.int(),
  updated_at: timestamp,
});
export type Settings = z.output<typeof settings>;

export const settingsPatchBody = z
  .strictObject({
    is_closed_beta: z.optional(flag('is_closed_beta')),
    is_service_suspended: z.optional(flag('is_service_suspended')),
  })
  .check(someField('Send is_closed_beta or is_service_suspended'))
  .register(z.globalRegistry, SOME_FIELD);
export type SettingsPatchBody = z.output<typeof settingsPatchBody>;

export const settingsGet = endpoint({
  name: 'settingsGet',
  method: 'GET',
  path: '/api/admin/settings',
  right: 'settings:read',
  summary: 'The service-wide switches',
  answer: settings,
});

export const settingsUpdate = endpoint({
  name: 'settingsUpdate',
  method: 'PATCH',
  path: '/api/admin/settings',
  right: 'settings:write',
  summary: 'Turn a service-wide switch',
  body: settingsPatchBody,
  answer: settings,
});
