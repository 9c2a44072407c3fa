import type { Me } from '@meridian/contract/me/account';
import type { MePost } from '@meridian/contract/me/posts';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { AccountMenu } from './account/AccountMenu.tsx';
import { attempt } from './api/attempt.ts';
import { calls } from './api/calls.ts';
import { useAction } from './api/use-action.ts';
import { Banners } from './Banners.tsx';
import { Composer } from './composer/Composer.tsx';
import { createDraftStore } from './composer/draft-store.ts';
import { focusComposer } from './composer/focus-composer.ts';
import { preferredLanguage } from './composer/languages.ts';
import { Columns } from './parts/Columns.tsx';
import { Frame } from './parts/Frame.tsx';
import { useConfirm } from './parts/use-confirm.tsx';
import { PlanCard } from './plan/PlanCard.tsx';
import { PlanSkeleton } from './plan/PlanSkeleton.tsx';
import { PostsCard } from './posts/PostsCard.tsx';
import { isOver, useUpcoming, withPost } from './posts/use-upcoming.ts';

type HomeProps = { me: Me; reloadMe: () => Promise<void>; onSignedOut: () => void };

/** The page of a person who is signed in. */
export function Home({ me, reloadMe, onSignedOut }: HomeProps) {
  const [store] = useState(() => createDraftStore(me.user.id, preferredLanguage()));
  const [dialog, ask] = useConfirm();
  const upcoming = useUpcoming();
  // By the DID: the handle may be another one by now.
  const connect = useAction(() =>
    attempt(
      () => calls.meSignIn({ body: { handle: me.user.did } }),
      ({ redirectTo }) => window.location.assign(redirectTo),
    ),
  );

  // Another tab writes the same draft.
  useEffect(() => {
    window.addEventListener('storage', store.follow);
    return () => window.removeEventListener('storage', store.follow);
  }, [store]);

  const refresh = async () => {
    await Promise.all([upcoming.reload(), reloadMe()]);
  };
  function scheduled(post: MePost) {
    upcoming.change((posts) => withPost(posts, post));
    void refresh();
  }
  const taken = (upcoming.data ?? [])
    .filter((post) => !isOver(post))
    .map(({ scheduledAt }) => Date.parse(scheduledAt));

  function show(post: MePost) {
    // The field to move to is another one afterwards.
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
    <Frame
      wide
      menu={
        <AccountMenu
          me={me}
          onConnect={() => void connect.run()}
          onDisconnected={reloadMe}
          onSignedOut={onSignedOut}
        />
      }
    >
      {dialog}
      <Columns
        main={
          <>
            <Banners me={me} isConnecting={connect.isBusy} onConnect={() => void connect.run()} />
            <Composer me={me} store={store} taken={taken} onScheduled={scheduled} />
            <PostsCard
              upcoming={upcoming}
              waiting={me.usage.pendingPosts}
              onEdit={edit}
              onChanged={refresh}
            />
          </>
        }
        // Below a list of unknown length it would be pushed down.
        side={upcoming.isLoading ? <PlanSkeleton /> : <PlanCard me={me} onRedeemed={refresh} />}
      />
    </Frame>
  );
}
