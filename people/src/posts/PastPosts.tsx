import type { AnswerOf } from '@meridian/contract/endpoint';
import type { MePost, mePostList } from '@meridian/contract/me/posts';
import { useState } from 'react';
import { Alert } from '../../../console/src/ui/Alert.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { calls } from '../api/calls.ts';
import { useAction } from '../api/use-action.ts';
import { usePolled } from '../api/use-polled.ts';
import type { PostActions } from './PostItem.tsx';
import { PostRows } from './PostRows.tsx';

export type PastStatus = 'COMPLETED' | 'FAILED' | 'CANCELLED';

const PAUSE_MS = 15_000;
const EMPTY: Record<PastStatus, string> = {
  COMPLETED: 'Nothing is published yet.',
  FAILED: 'No post has failed.',
  CANCELLED: 'No post was cancelled.',
};

type PastPostsProps = {
  status: PastStatus;
  onEmpty: (sentence: string) => void;
  actions: PostActions;
};

/** The latest page is read again by itself; older ones are added by a press. */
export function PastPosts({ status, onEmpty, actions }: PastPostsProps) {
  const latest = usePolled<AnswerOf<typeof mePostList>>(
    (_, signal) => calls.mePostList({ query: { status }, signal }),
    () => PAUSE_MS,
  );
  const first = latest.data?.posts;
  const [older, setOlder] = useState<{ posts: MePost[]; next: string | null }>();
  const next = older === undefined ? latest.data?.cursors?.next : older.next;
  const more = useAction(async (cursor: string) => {
    const page = await calls.mePostList({ query: { status, cursor } });
    setOlder((now) => ({
      // With the first page as it is now: what new posts push out of it stays.
      posts: [...(now?.posts ?? first ?? []), ...page.posts],
      next: page.cursors?.next ?? null,
    }));
  });
  const posts = first && [
    ...first,
    ...(older?.posts ?? []).filter(({ id }) => !first.some((post) => post.id === id)),
  ];
  return (
    <PostRows
      posts={posts}
      error={latest.error}
      onRetry={() => void latest.reload()}
      empty={EMPTY[status]}
      onEmpty={onEmpty}
      actions={actions}
      more={
        typeof next === 'string' && (
          <div className="flex flex-col gap-3 border-t border-border px-5 py-3">
            {more.error !== undefined && <Alert>{more.error}</Alert>}
            <Button className="self-center" busy={more.isBusy} onClick={() => void more.run(next)}>
              Show older posts
            </Button>
          </div>
        )
      }
    />
  );
}
