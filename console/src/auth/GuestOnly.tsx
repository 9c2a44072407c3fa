import { useEffect, useState } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { LoadingScreen } from '../components/LoadingScreen.tsx';
import { paths } from '../paths.ts';
import { getIntendedPath, rememberIntendedPath } from './intended-path.ts';
import { useSession } from './use-session.ts';

/** The login screen: a signed-in administrator is redirected to the page that was wanted. */
export function GuestOnly() {
  const { phase } = useSession();
  const navigate = useNavigate();
  const [hasSeenForm, setSeenForm] = useState(false);
  const isSignedIn = phase === 'signed-in';

  // A redirect is a navigation; the intended path serves once.
  useEffect(() => {
    if (!isSignedIn) return;
    const path = getIntendedPath() ?? paths.dashboard;
    rememberIntendedPath(null);
    void navigate(path, { replace: true });
  }, [isSignedIn, navigate]);

  if (phase === 'signed-out' && !hasSeenForm) setSeenForm(true);
  // After a login the form stays, still at work, until the next page is there.
  return phase === 'signed-out' || (isSignedIn && hasSeenForm) ? <Outlet /> : <LoadingScreen />;
}
