import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser.ts';

/*
 * What the kit has to know of the session: whose data it holds, and whether the server is Meridian.
 * The page that signs in tells both.
 */

const endListeners = new Set<() => void>();
const listeners = new Set<() => void>();

/** The name of who is signed in; null for nobody. */
let owner: string | null = null;

/** For every store of somebody's data: it must be empty before the next one signs in. */
export function onSessionEnd(listener: () => void): void {
  endListeners.add(listener);
}

/** The listeners still find the owner of the session that ends. */
export function reportSessionEnd(): void {
  for (const listener of endListeners) listener();
}

export function getOwner(): string | null {
  return owner;
}

/**
 * The console may stand before another service, which has the specified calls and nothing more.
 * Meridian names itself in `auth/me`. The last response is remembered, so that the first reads of a
 * screen need not wait for the next one.
 */
const STORAGE_KEY = 'server_is_meridian';

/** Null until `auth/me` has told. */
let known: boolean | null = null;
let telling = Promise.withResolvers<boolean>();

/** Both are null while nobody is signed in. */
export function setSession(next: { owner: string | null; isMeridian: boolean | null }): void {
  owner = next.owner;
  if (next.isMeridian === null) {
    if (known !== null) telling = Promise.withResolvers();
  } else {
    telling.resolve(next.isMeridian);
    writeStored(STORAGE_KEY, String(next.isMeridian));
  }
  known = next.isMeridian;
  for (const listener of listeners) listener();
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True when the server offers more than the specified calls. */
export function useIsMeridian(): boolean {
  return useSyncExternalStore(subscribe, isMeridian);
}
