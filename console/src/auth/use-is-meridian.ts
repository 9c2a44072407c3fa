import { useSyncExternalStore } from 'react';
import { isMeridian } from '../api/service.ts';
import { subscribeSession } from './session.ts';

/** True when the server offers more than the specified calls. */
export function useIsMeridian(): boolean {
  return useSyncExternalStore(subscribeSession, isMeridian);
}
