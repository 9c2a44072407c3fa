import { useSyncExternalStore } from 'react';
import type { Me } from '@meridian/contract/auth';
import { getSession, type Session, subscribeSession } from './session.ts';

export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** Who is signed in; undefined only while signing out. */
export function useAdmin(): Me | undefined {
  const session = useSession();
  return session.phase === 'signed-in' ? session.admin : undefined;
}
