import { CirclePause } from 'lucide-react';
import { Component, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { call } from '@meridian/ui/api/call.ts';
import { queryClient } from '@meridian/ui/api/query.ts';
import { reportSessionEnd } from '@meridian/ui/api/session.ts';
import { Home, HomeSkeleton } from './Home.tsx';
import { sentenceOf } from './api/actions.ts';
import { meGet, showMember, whenRefused } from './api/calls.ts';
import { followEvents, readAgain, useRead } from './api/reads.ts';
import { Frame } from './parts.tsx';
import { ToastRegion } from '@meridian/ui/ToastRegion.tsx';

/** A member who is signed in does not load it. */
const SignInPage = lazy(async () => ({
  default: (await import('./account/SignInPage.tsx')).SignInPage,
}));

const ME = ['me'];
const ME_PAUSE_MS = 15_000;
const SUSPENDED_PAUSE_MS = 5_000;

export function App() {
  /** The session has ended by itself, or the member has left or never came. */
  const [out, setOut] = useState<'ended' | 'left'>();
  const me = useRead(
    ME,
    async (signal) => {
      const read = await call(meGet, {}, { signal });
      showMember(read.user.id);
      // The member has signed in again, perhaps in another tab.
      setOut(undefined);
      return read;
    },
    ({ service }) => (service.isSuspended ? SUSPENDED_PAUSE_MS : ME_PAUSE_MS),
  );
  // The calls are outside of React.
  useEffect(
    () =>
      whenRefused(({ status, code }) => {
        if (status === 401) {
          const wasIn = queryClient.getQueryData(ME) !== undefined;
          if (wasIn) reportSessionEnd();
          setOut((now) => now ?? (wasIn ? 'ended' : 'left'));
        }
        if (code === 'service_suspended') void readAgain();
      }),
    [],
  );

  const isIn = out === undefined && me.data !== undefined;
  // The connection outlives every component.
  useEffect(() => (isIn ? followEvents() : undefined), [isIn]);

  function leave() {
    reportSessionEnd();
    setOut('left');
  }
  const page = () => {
    if (out !== undefined) return <SignInPage isEnded={out === 'ended'} />;
    if (me.data?.service.isSuspended) return <SuspendedPage notice={me.data.service.notice} />;
    if (me.data !== undefined) return <Home key={me.data.user.id} me={me.data} onLeft={leave} />;
    if (me.error === undefined) return <HomeSkeleton />;
    return <Failed sentence={sentenceOf(me.error)} action="Retry" onAction={me.retry} />;
  };
  return (
    <>
      <PageBoundary>{page()}</PageBoundary>
      <ToastRegion />
    </>
  );
}

/** Nothing else is shown while the service is suspended. It ends by itself when the service resumes. */
function SuspendedPage({ notice }: { notice: string | null }) {
  return (
    <Frame hasTitle>
      <Card as="div" className="flex flex-col items-center gap-3 px-6 py-10 text-center">
        <CirclePause aria-hidden="true" className="size-8 text-orange" />
        <h1 className="text-xl">The service is paused</h1>
        {notice !== null && (
          <p className="text-lg leading-normal whitespace-pre-line wrap-anywhere">
            <SafeText>{notice}</SafeText>
          </p>
        )}
        <p className="text-muted">
          Your posts are kept and nothing goes out meanwhile. This page opens again by itself.
        </p>
      </Card>
    </Frame>
  );
}

type FailedProps = { sentence: string; action: string; onAction: () => void };

function Failed({ sentence, action, onAction }: FailedProps) {
  const button = (
    <Button size="sm" onClick={onAction}>
      {action}
    </Button>
  );
  return (
    <Frame>
      <Alert action={button}>{sentence}</Alert>
    </Frame>
  );
}

/**
 * Loading a part later fails without a connection, and when the server has a newer version of the page; a
 * reload mends both. Only a class can catch it.
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
      <Failed
        sentence="This page could not be shown. What you wrote is kept."
        action="Reload"
        onAction={() => window.location.reload()}
      />
    );
  }
}
