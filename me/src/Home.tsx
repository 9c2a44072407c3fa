import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Me } from '@meridian/contract/me/account';
import type { MePost } from '@meridian/contract/me/posts';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { useOnline } from '@meridian/ui/hooks.ts';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { call } from '@meridian/ui/api/call.ts';
import { AccountMenu } from './account/AccountMenu.tsx';
import { attempt, useAction } from './api/actions.ts';
import { meSignIn } from './api/calls.ts';
import { readAgain } from './api/reads.ts';
import { Composer, preferredLanguage } from './composer/Composer.tsx';
import { createDraftStore } from './composer/draft-store.ts';
import { focusComposer, Frame, useConfirm } from './parts.tsx';
import { PlanCard, PlanSkeleton } from './plan/PlanCard.tsx';
import { PostRowsSkeleton } from './posts/PostRows.tsx';
import { changeUpcoming, isOver, PostsCard, useUpcoming, withPost } from './posts/PostsCard.tsx';

/** The page of a member who is signed in. */
export function Home({ me, onLeft }: { me: Me; onLeft: () => void }) {
  const [store] = useState(() => createDraftStore(me.user.id, preferredLanguage()));
  const [dialog, ask] = useConfirm();
  const upcoming = useUpcoming(me.user.id);
  // The DID stays the same; the handle may be another one by now.
  const connect = useAction(() =>
    attempt(
      () => call(meSignIn, { body: { handle: me.user.did } }),
      ({ redirectTo }) => window.location.assign(redirectTo),
    ),
  );

  // Another tab writes the same draft.
  useEffect(() => {
    window.addEventListener('storage', store.follow);
    return () => window.removeEventListener('storage', store.follow);
  }, [store]);

  function scheduled(post: MePost) {
    changeUpcoming(me.user.id, (posts) => withPost(posts, post));
    void readAgain();
  }
  const taken = (upcoming.data ?? [])
    .filter((post) => !isOver(post))
    .map(({ scheduledAt }) => Date.parse(scheduledAt));

  function show(post: MePost) {
    // The draft brings another field, and the focus moves to that one.
    flushSync(() => store.edit(post));
    focusComposer();
  }
  function edit(post: MePost) {
    const { editing } = store.get();
    if (editing === null) show(post);
    else if (editing.id === post.id) focusComposer();
    else {
      ask({
        title: 'Change this post instead?',
        body: 'You are changing another post. What you have not saved of it is lost.',
        confirmLabel: 'Discard changes',
        danger: true,
        run: async () => show(post),
      });
    }
  }
  return (
    <Frame wide menu={<AccountMenu me={me} onConnect={() => void connect.run()} onLeft={onLeft} />}>
      {dialog}
      <Columns
        main={
          <>
            <Banners me={me} isConnecting={connect.isBusy} onConnect={() => void connect.run()} />
            <Composer me={me} store={store} taken={taken} onScheduled={scheduled} />
            <PostsCard me={me} upcoming={upcoming} onEdit={edit} />
          </>
        }
        // The card would be pushed down by a list of unknown length above it.
        side={upcoming.isFetched ? <PlanCard me={me} /> : <PlanSkeleton />}
      />
    </Frame>
  );
}

/** Empty boxes stand for the page before it is known whose it is. */
export function HomeSkeleton() {
  return (
    <Frame wide menu={<Skeleton round width="1.875rem" height="1.875rem" />}>
      <Columns
        main={
          <>
            <Card as="div">
              <CardHeader title="New post" className="min-h-14" />
              <CardBody className="flex flex-col gap-4">
                <Skeleton height="10rem" className="rounded" />
                <Skeleton height="4.75rem" width="60%" className="rounded" />
                <Skeleton
                  height="var(--control-height-lg)"
                  width="7rem"
                  className="self-end rounded"
                />
              </CardBody>
            </Card>
            <Card as="div">
              <CardHeader title="Your posts" />
              <PostRowsSkeleton />
            </Card>
          </>
        }
        side={<PlanSkeleton />}
      />
    </Frame>
  );
}

/** The side stands below the main column where there is no room beside it. */
function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className="grid items-start gap-4 @4xl:grid-cols-[minmax(0,1fr)_20rem] @4xl:gap-6">
      <div className="flex min-w-0 flex-col gap-4 @4xl:gap-6">{main}</div>
      <div className="flex min-w-0 flex-col gap-4">{side}</div>
    </div>
  );
}

type BannersProps = { me: Me; isConnecting: boolean; onConnect: () => void };

/** Sentences for the states in which nothing goes out. */
const STATES: Readonly<Record<string, string>> = {
  RECONNECT: 'Your Bluesky account is not connected. Your posts wait until you connect it again.',
  DEACTIVATED:
    'Your Bluesky account is deactivated. Activate it there; your posts wait until then.',
  TAKEN_DOWN: 'Your Bluesky account was removed by its host. Your posts wait.',
  GONE: 'Your Bluesky account was not found. Connect it again if it has moved; your posts wait.',
};

function Banners({ me, isConnecting, onConnect }: BannersProps) {
  const isOnline = useOnline();
  const sentence = STATES[me.account.state];
  return (
    <>
      {!isOnline && (
        <Alert tone="amber">
          You are offline. What you write is kept in this browser; schedule it when you are back.
        </Alert>
      )}
      {sentence !== undefined && (
        <Alert
          tone="amber"
          action={
            <Button size="sm" busy={isConnecting} onClick={onConnect}>
              Connect again
            </Button>
          }
        >
          {sentence}
        </Alert>
      )}
      {me.schedule.sentence !== null && (
        <Alert tone="amber">
          <SafeText as="span">{me.schedule.sentence}</SafeText>
        </Alert>
      )}
    </>
  );
}
