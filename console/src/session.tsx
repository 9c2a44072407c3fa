import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPath, Outlet, useLocation, useNavigate } from 'react-router';
import type { authLogin, authLogout, authMe, Me } from '@meridian/contract/auth';
import { SESSION_CALLS } from '@meridian/contract/session-calls';
import { propertyOf } from '@meridian/contract/untrusted';
import { logSilently } from '@meridian/ui/api/browser.ts';
import { call } from '@meridian/ui/api/call.ts';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { forgetMeridian, reportSessionEnd, setSession } from '@meridian/ui/api/session.ts';
import { prefetchPath } from '@meridian/ui/links.tsx';
import { clearToken, getToken, onUnauthorized, setToken } from './access.ts';
import { LoadingScreen } from './components/screens.tsx';
import { paths } from './paths.ts';

/** Why there is no session: the login screen says so where it helps. */
export type SignedOutReason = 'start' | 'logout' | 'elsewhere' | 'ended' | 'unconfirmed';

export type Session =
  | { phase: 'checking' }
  | { phase: 'signed-out'; reason: SignedOutReason }
  /** The password was right; whether the server is Meridian is not known yet. */
  | { phase: 'entering'; admin: Me }
  | { phase: 'signed-in'; admin: Me };

// Without their schemas, which the sign-in would have to load; nothing here reads them.
const LOGIN = SESSION_CALLS.login as unknown as typeof authLogin;
const ME = SESSION_CALLS.me as unknown as typeof authMe;
const LOGOUT = SESSION_CALLS.logout as unknown as typeof authLogout;

/** One more try when no response came, as for any other read. */
const AGAIN_AFTER_MS = 700;

let session: Session = { phase: 'checking' };
/** The token this tab acts with, to notice when another tab changes it. */
let token: string | null = null;
/** A page that is being left loses the responses it waits for, which says nothing about the session. */
let isLeaving = false;
const listeners = new Set<() => void>();

export function getSession(): Session {
  return session;
}

function subscribeSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: Session) {
  // Also when the token was never confirmed: reads may have been answered before it was refused.
  if (!('admin' in next)) reportSessionEnd();
  session = next;
  const admin = next.phase === 'signed-in' ? next.admin : null;
  setSession({
    owner: admin && admin.username,
    isMeridian: admin && admin.meridian !== '',
  });
  for (const listener of listeners) listener();
}

function signOut(reason: SignedOutReason) {
  clearToken();
  token = null;
  forgetMeridian();
  set({ phase: 'signed-out', reason });
}

async function loadAdmin(): Promise<Me> {
  try {
    return await call(ME);
  } catch (error) {
    if (error instanceof ApiError && error.hasResponse) throw error;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    return call(ME);
  }
}

/** Asks the server who the stored token belongs to. Any failure signs out, as specified. */
async function check(): Promise<void> {
  const asked = getToken();
  token = asked;
  if (asked === null) {
    set({ phase: 'signed-out', reason: session.phase === 'checking' ? 'start' : 'elsewhere' });
    return;
  }
  set({ phase: 'checking' });
  try {
    const admin = await loadAdmin();
    if (token === asked) set({ phase: 'signed-in', admin });
  } catch (error) {
    logSilently('Could not load the current administrator', error);
    const refused = error instanceof ApiError && error.status === 401;
    if (token === asked && !isLeaving) signOut(refused ? 'ended' : 'unconfirmed');
  }
}

/** Reads the stored credential and follows what other tabs do with it. Called once at start. */
export function startSession(): void {
  const follow = () => {
    if (getToken() !== token) void check();
  };
  onUnauthorized((refused) => {
    if (!('admin' in session)) return;
    if (refused === token) signOut('ended');
    // A tab is not told of what is done to the storage in the tab itself.
    else follow();
  });
  window.addEventListener('storage', follow);
  window.addEventListener('pagehide', () => {
    isLeaving = true;
  });
  // A page taken out of the back/forward cache has slept through every event.
  window.addEventListener('pageshow', (event) => {
    isLeaving = false;
    if (event.persisted && session.phase === 'checking') void check();
    else if (event.persisted) follow();
  });
  void check();
}

/** Throws what the login call throws, with no session and no token left. */
export async function signIn(username: string, password: string): Promise<void> {
  try {
    const answer: unknown = await call(LOGIN, { body: { username, password } });
    const given = propertyOf(answer, 'token');
    if (typeof given !== 'string' || given === '') throw new ApiError({ status: 0, message: '' });
    setToken(given);
    token = given;
    const told = propertyOf(propertyOf(answer, 'admin'), 'displayName');
    const displayName = typeof told === 'string' ? told : null;
    set({ phase: 'entering', admin: { username, displayName, meridian: '', eventId: '' } });
  } catch (error) {
    clearToken();
    token = null;
    throw error;
  }
  void loadEntered(token);
}

/** The login response need not tell the display name, nor whether the server is Meridian. */
async function loadEntered(asked: string): Promise<void> {
  try {
    const admin = await call(ME);
    if (token === asked && session.phase === 'entering') set({ phase: 'signed-in', admin });
  } catch (error) {
    logSilently('Could not load the current administrator', error);
    // The pages go on with the specified calls.
    if (token === asked && session.phase === 'entering') set({ ...session, phase: 'signed-in' });
  }
}

export function logout(): void {
  // Told and forgotten: whatever the server says, this browser is signed out.
  call(LOGOUT, {}, { keepalive: true }).catch((error: unknown) =>
    logSilently('The server did not confirm the logout', error),
  );
  signOut('logout');
}

export function useSession(): Session {
  return useSyncExternalStore(subscribeSession, getSession);
}

/** The administrator who is signed in; undefined only while signing out. */
export function useAdmin(): Me | undefined {
  const session = useSession();
  return session.phase === 'signed-in' ? session.admin : undefined;
}

/** The page that was wanted before the login. It is kept in memory, never in the URL. */
let intendedPath: string | null = null;

function rememberIntendedPath(path: string | null): void {
  intendedPath = path;
}

export function getIntendedPath(): string | null {
  return intendedPath;
}

/** The login screen: a signed-in administrator is redirected to the page that was wanted. */
export function GuestOnly() {
  const { phase } = useSession();
  const navigate = useNavigate();
  const [hasSeenForm, setSeenForm] = useState(false);

  // A redirect is a navigation; the intended path serves once.
  useEffect(() => {
    const path = getIntendedPath() ?? paths.dashboard;
    // The sidebar shows what the server offers: it would move under the pointer, and lose a click.
    if (phase === 'entering') prefetchPath(path);
    if (phase !== 'signed-in') return;
    rememberIntendedPath(null);
    void navigate(path, { replace: true });
  }, [phase, navigate]);

  if (phase === 'signed-out' && !hasSeenForm) setSeenForm(true);
  // After a login the form stays, still at work, until the next page is there.
  return phase !== 'checking' && hasSeenForm ? <Outlet /> : <LoadingScreen />;
}

/** Everything behind the login: shown to a signed-in administrator, guests are redirected to /login. */
export function RequireSession() {
  const session = useSession();
  const location = useLocation();
  const navigate = useNavigate();
  const isSignedOut = session.phase === 'signed-out';
  const isByChoice = isSignedOut && session.reason === 'logout';

  // A redirect is a navigation, and what was wanted is to be remembered once.
  useEffect(() => {
    if (!isSignedOut) return;
    rememberIntendedPath(isByChoice ? null : createPath(location));
    void navigate(paths.login, { replace: true });
  }, [isSignedOut, isByChoice, location, navigate]);

  return session.phase === 'signed-in' ? <Outlet /> : <LoadingScreen />;
}
