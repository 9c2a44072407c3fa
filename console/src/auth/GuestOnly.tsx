import { useEffect, useState } from 'react';
import { Outlet, useNavigate } from 'react-router';
import { LoadingScreen } from '../components/LoadingScreen.tsx';
import { prefetchPath } from '../components/navigation/prefetch.ts';
import { paths } from '../paths.ts';
import { getIntendedPath, rememberIntendedPath } from './intended-path.ts';
import { useSession } from './use-session.ts';

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
