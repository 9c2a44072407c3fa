import { readStored, writeStored } from './storage.ts';

/*
 * The console may stand before another service, which has the specified calls and nothing more.
 * Meridian names itself in `auth/me`. The last response is remembered, so that the first reads of a
 * screen need not wait for the next one.
 */

const STORAGE_KEY = 'server_is_meridian';

/** Null until `auth/me` has told. */
let known: boolean | null = null;
let telling = Promise.withResolvers<boolean>();

/** Called by the session; null while nobody is signed in. */
export function setMeridian(next: boolean | null): void {
  if (next === null) {
    if (known !== null) telling = Promise.withResolvers();
  } else {
    telling.resolve(next);
    writeStored(STORAGE_KEY, String(next));
  }
  known = next;
}

/** At the end of a session: after the next login another service may be there. */
export function forgetMeridian(): void {
  writeStored(STORAGE_KEY, null);
}

/** True when the server offers more than the specified calls. No page is shown before it is known. */
export function isMeridian(): boolean {
  return known === true;
}

/** The same once it is known, for a response that came before. */
export function whenMeridianIsKnown(): Promise<boolean> {
  return telling.promise;
}

/** The likely kind of the server; undefined where this browser has never been told. */
export function expectMeridian(): boolean | undefined {
  const stored = readStored(STORAGE_KEY);
  if (stored !== 'true' && stored !== 'false') return known ?? undefined;
  return known ?? stored === 'true';
}
