import { Component, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Me } from '@meridian/contract/me/account';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { ToastRegion } from '@meridian/ui/toasts.tsx';
import { Home, HomeSkeleton } from './Home.tsx';
import { calls, onRefused, sentenceOf, whose } from './api/calls.ts';
import { followEvents } from './api/live.ts';
import { usePolled } from './api/use-polled.ts';
import { Frame } from './parts.tsx';

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

/**
 * Around what is loaded later. That fails without a connection, and when the server has a newer
 * version of the page; a reload mends both. Only a class can catch it.
 */
class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed)
      return <Suspense fallback={<Frame />}>{this.props.children}</Suspense>;
    return (
      <Frame>
        <Alert
          action={
            <Button size="sm" onClick={() => window.location.reload()}>
              Reload
            </Button>
          }
        >
          This page could not be shown. What you wrote is kept.
        </Alert>
      </Frame>
    );
  }
}
