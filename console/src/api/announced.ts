import { readStored, writeStored } from './storage.ts';

/*
 * What the server offers beyond the specified calls. It is known once `auth/me` has answered; what
 * it said the last time is kept, so that the first reads of a screen need not wait for it.
 */

const STORAGE_KEY = 'server_features';

/** Null while it is not known. */
let announced: readonly string[] | null = null;

/** Told by the session, which reads it from `auth/me`; null before that, and while signed out. */
export function setAnnounced(features: readonly string[] | null): void {
  announced = features;
  if (features !== null) writeStored(STORAGE_KEY, features.join(' '));
}

/** At the end of a session: after the next login another server may be there. */
export function forgetAnnounced(): void {
  writeStored(STORAGE_KEY, null);
}

/** Whether the server offers this beyond the specified calls. No page is shown before it is known. */
export function isAnnounced(feature: string): boolean {
  return announced?.includes(feature) === true;
}

/** What will most likely be announced: undefined where this browser has never been told. */
export function expectAnnounced(feature: string): boolean | undefined {
  return (announced ?? readStored(STORAGE_KEY)?.split(' '))?.includes(feature);
}
