import { useSyncExternalStore } from 'react';
import { isAnnounced } from '../api/announced.ts';
import { subscribeSession } from './session.ts';

/** Whether the server announces this; undefined until it is known, right after a login. */
export function useAnnounced(feature: string): boolean | undefined {
  return useSyncExternalStore(subscribeSession, () => isAnnounced(feature));
}
