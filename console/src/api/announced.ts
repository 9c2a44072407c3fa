/*
 * What the server offers beyond the specified calls. It is known once `auth/me` has answered; what
 * it said the last time is kept, so that the first reads of a screen need not wait for it.
 */

const STORAGE_KEY = 'server_features';

/** Null while it is not known. */
let announced: readonly string[] | null = null;

/** Told by the session, which reads it from `auth/me`; null when nobody is signed in. */
export function setAnnounced(features: readonly string[] | null): void {
  announced = features;
  if (features !== null) remember(features);
}

/** Whether the server says that it offers this beyond the specified calls. */
export function isAnnounced(feature: string): boolean {
  return announced?.includes(feature) ?? false;
}

/** The same for what must not be asked before it is known: undefined until then. */
export function announcementOf(feature: string): boolean | undefined {
  return announced?.includes(feature);
}

/** What will most likely be announced: undefined where this browser has never been told. */
export function expectAnnounced(feature: string): boolean | undefined {
  return (announced ?? recall())?.includes(feature);
}

function remember(features: readonly string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(features));
  } catch {
    // Storage may be full or forbidden; then the next start waits for `auth/me`.
  }
}

function recall(): readonly string[] | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    return Array.isArray(kept) ? kept.filter((item) => typeof item === 'string') : null;
  } catch {
    return null;
  }
}
