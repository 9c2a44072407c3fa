import { useEffect } from 'react';
import { createPath, Outlet, useLocation, useNavigate } from 'react-router';
import { LoadingScreen } from '../components/LoadingScreen.tsx';
import { paths } from '../paths.ts';
import { rememberIntendedPath } from './intended-path.ts';
import { useSession } from './use-session.ts';

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
