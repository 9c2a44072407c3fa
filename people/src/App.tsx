import type { Me } from '@meridian/contract/me/account';
import { lazy, useEffect, useState } from 'react';
import { Alert } from '../../console/src/ui/Alert.tsx';
import { Button } from '../../console/src/ui/Button.tsx';
import { ToastRegion } from '../../console/src/ui/ToastRegion.tsx';
import { onRefused, sentenceOf, whose } from './api/call.ts';
import { calls } from './api/calls.ts';
import { followEvents } from './api/live.ts';
import { usePolled } from './api/use-polled.ts';
import { Home } from './Home.tsx';
import { HomeSkeleton } from './HomeSkeleton.tsx';
import { Frame } from './parts/Frame.tsx';
import { PageBoundary } from './parts/PageBoundary.tsx';

/** Those who are signed in do not load it. */
const SignInPage = lazy(async () => ({
  default: (await import('./account/SignInPage.tsx')).SignInPage,
}));

/** Nor this, as long as the service runs. */
const SuspendedPage = lazy(async () => ({
  default: (await import('./account/SuspendedPage.tsx')).SuspendedPage,
}));

const ME_PAUSE_MS = 15_000;
const SUSPENDED_PAUSE_MS = 5_000;

export function App() {
  /** The session has ended by itself, or the person has left. */
  const [out, setOut] = useState<'ended' | 'left'>();
  const me = usePolled<Me>(
    async (_, signal) => {
      const read = await calls.meGet({ signal });
      whose['x-person'] = read.user.id;
      // Signed in again, perhaps in another tab.
      setOut(undefined);
      return read;
    },
    ({ service }) => (service.isSuspended ? SUSPENDED_PAUSE_MS : ME_PAUSE_MS),
  );
  const { reload } = me;
  // Any call may be the one that learns of it.
  useEffect(
    () =>
      onRefused(({ status, code }) => {
        if (status === 401) setOut((now) => now ?? 'ended');
        if (code === 'service_suspended') void reload();
      }),
    [reload],
  );

  const isIn = out === undefined && me.data !== undefined;
  // A connection is no part of any component.
  useEffect(() => (isIn ? followEvents() : undefined), [isIn]);

  const page = () => {
    if (out !== undefined) {
      return <SignInPage isEnded={out === 'ended' && me.data !== undefined} />;
    }
    if (me.data?.service.isSuspended === true)
      return <SuspendedPage notice={me.data.service.notice} />;
    if (me.data !== undefined)
      return (
        <Home
          key={me.data.user.id}
          me={me.data}
          reloadMe={reload}
          onSignedOut={() => setOut('left')}
        />
      );
    if (me.error === undefined) return <HomeSkeleton />;
    return (
      <Frame>
        <Alert
          action={
            <Button size="sm" busy={me.isLoading} onClick={() => void reload()}>
              Retry
            </Button>
          }
        >
          {sentenceOf(me.error)}
        </Alert>
      </Frame>
    );
  };
  return (
    <>
      <PageBoundary>{page()}</PageBoundary>
      <ToastRegion />
    </>
  );
}
