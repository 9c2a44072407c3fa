import { CalendarClock } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { MePost } from '@meridian/contract/me/posts';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { ApiError, isNotFound } from '@meridian/ui/api/errors.ts';
import { formatNumber } from '@meridian/ui/format.ts';
import { EmptyState } from '@meridian/ui/placeholders.tsx';
import { FilterTabs } from '@meridian/ui/tabs.tsx';
import { showToast } from '@meridian/ui/toasts.tsx';
import { calls, serverNow } from '../api/calls.ts';
import { pauseUpdates, type Polled, usePolled } from '../api/use-polled.ts';
import { useConfirm } from '../parts.tsx';
import { PastPosts, type PastStatus, type PostActions, PostRows } from './PostRows.tsx';

type Tab = 'UPCOMING' | PastStatus;

const TABS: { value: Tab; label: string }[] = [
  { value: 'UPCOMING', label: 'Upcoming' },
  { value: 'COMPLETED', label: 'Published' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

/** The response may have been lost, or another device was first. Without a status: it is gone. */
const unless = (post: MePost, status?: string) => async (error: unknown) => {
  if ((await read(post))?.status !== status) throw error;
};

type PostsCardProps = {
  upcoming: Polled<MePost[]>;
  /** How many wait, which may be more than are listed. */
  waiting: number;
  onEdit: (post: MePost) => void;
  /** Something was cancelled, deleted or tried again. */
  onChanged: () => Promise<void>;
};

export function PostsCard({ upcoming, waiting, onEdit, onChanged }: PostsCardProps) {
  const [tab, setTab] = useState<Tab>('UPCOMING');
  const [round, setRound] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [nothing, setNothing] = useState('');
  const [dialog, ask] = useConfirm();
  const titleId = useId();

  // The clocks and the stream that update the page are outside of React.
  useEffect(() => (isPaused ? pauseUpdates() : undefined), [isPaused]);

  async function changed(message: string) {
    showToast({ message });
    setRound((before) => before + 1);
    await onChanged();
  }
  async function retry({ id }: MePost, iLooked: boolean) {
    await calls.mePostRetry({ params: { id }, body: { iLooked } });
    await changed('Scheduled again as a new post');
  }
  const actions: PostActions = {
    edit: onEdit,
    cancel: (post) =>
      ask({
        title: 'Cancel this post?',
        body: 'It will not go out. You can still see it under Cancelled.',
        confirmLabel: 'Cancel post',
        cancelLabel: 'Keep it',
        danger: true,
        run: async () => {
          await calls.mePostCancel({ params: { id: post.id } }).catch(unless(post, 'CANCELLED'));
          await changed('Post cancelled');
        },
      }),
    delete: (post) =>
      ask({
        title: 'Delete this post?',
        body:
          post.url === null
            ? 'It is removed from this service for good.'
            : 'It is removed from this service for good. On Bluesky it stays as it is.',
        confirmLabel: 'Delete',
        danger: true,
        run: async () => {
          await calls.mePostDelete({ params: { id: post.id } }).catch(unless(post));
          upcoming.change((posts) => posts.filter(({ id }) => id !== post.id));
          await changed('Post deleted');
        },
      }),
    retry: (post) =>
      ask({
        title: 'Try again?',
        body: 'A new post with the same content goes out as soon as possible.',
        confirmLabel: 'Try again',
        run: () =>
          retry(post, false).catch((error: unknown) => {
            if (!(error instanceof ApiError) || error.code !== 'post_outcome_unknown') throw error;
            askWhetherLooked(post);
          }),
      }),
  };
  function askWhetherLooked(post: MePost) {
    ask({
      title: 'Is it on your profile?',
      body: 'It may be published already. Look at your profile first: trying again would publish it twice.',
      confirmLabel: 'I looked, it is not there',
      run: () => retry(post, true),
    });
  }
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        title="Your posts"
        titleId={titleId}
        actions={
          <Button variant="ghost" size="sm" onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Resume updates' : 'Pause updates'}
          </Button>
        }
      />
      <div className="px-5 pb-3">
        <FilterTabs
          label="Posts by status"
          tabs={TABS}
          value={tab}
          onValueChange={setTab}
          className="@max-sm:[&_button]:px-0.5"
        />
      </div>
      {tab === 'UPCOMING' ? (
        <PostRows
          posts={upcoming.data}
          error={upcoming.error}
          onRetry={() => void upcoming.reload()}
          empty="Nothing is scheduled. Write your first post above."
          onEmpty={setNothing}
          actions={actions}
          more={
            waiting > MOST && (
              <p className="border-t border-border px-5 py-3 text-sm text-muted">
                The next {MOST} of {formatNumber(waiting)} waiting posts.
              </p>
            )
          }
        />
      ) : (
        <PastPosts key={`${tab} ${round}`} status={tab} onEmpty={setNothing} actions={actions} />
      )}
      {/* There whatever is listed: what appears in it is read out. */}
      <div aria-live="polite">
        {nothing !== '' && (
          <EmptyState icon={<CalendarClock aria-hidden="true" />}>{nothing}</EmptyState>
        )}
      </div>
      {dialog}
    </Card>
  );
}

/** The soonest: those that a person looks for, and whose slots are taken. */
const MOST = 100;
/** Of those that leave the list at once; the others are found under their status. */
const FOLLOWED = 20;
const QUIET_MS = 15_000;
const SOON_MS = 2_000;

export function isOver({ status }: MePost): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING';
}

/** Soon while a post is due, ever less often while it waits; otherwise when the next one is due. */
export function pauseAfter(posts: readonly MePost[], now: number): number {
  const pauses = posts
    .filter((post) => !isOver(post))
    .map(({ scheduledAt }) => {
      const leftMs = Date.parse(scheduledAt) - now;
      return leftMs > 0 ? leftMs + SOON_MS / 2 : Math.max(SOON_MS, -leftMs / 4);
    });
  return Math.min(QUIET_MS, ...pauses);
}

/**
 * What is still to come, and what became of a post that was listed here: it stays, with its new
 * status, as long as the page does.
 */
export async function loadUpcoming(before: readonly MePost[] | undefined, signal: AbortSignal) {
  const list = (status: 'PENDING' | 'PROCESSING') =>
    calls.mePostList({ query: { status, limit: MOST, order: 'asc' }, signal });
  const [{ posts }, { posts: open }] = await Promise.all([list('PENDING'), list('PROCESSING')]);
  // One that is claimed in between is in both.
  open.push(...posts.filter(({ id }) => !open.some((post) => post.id === id)));
  const left = (before ?? []).filter(({ id }) => !open.some((post) => post.id === id));
  const followed = left.filter((post) => !isOver(post)).slice(0, FOLLOWED);
  const found = await Promise.all(followed.map((post) => read(post, signal)));
  return bySchedule([...open, ...left.filter(isOver), ...found.filter((post) => post !== null)]);
}

const bySchedule = (posts: MePost[]) =>
  posts.toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt));

/** With a post that was scheduled or changed just now, before the list is read again. */
export function withPost(posts: readonly MePost[], post: MePost): MePost[] {
  return bySchedule([...posts.filter(({ id }) => id !== post.id), post]);
}

/** As it is now; null when it is no longer there. */
async function read({ id }: MePost, signal?: AbortSignal): Promise<MePost | null> {
  try {
    return (await calls.mePostGet({ params: { id }, signal })).post;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

export function useUpcoming() {
  return usePolled<MePost[]>(loadUpcoming, (posts) => pauseAfter(posts, serverNow()));
}
