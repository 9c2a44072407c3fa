import { useSyncExternalStore } from 'react';
import { isAnnounced } from '../api/announced.ts';
import { subscribeSession } from './session.ts';

/** Whether the server announces this. */
export function useAnnounced(feature: string): boolean {
  return useSyncExternalStore(subscribeSession, () => isAnnounced(feature));
}
