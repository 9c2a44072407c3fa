import { CalendarClock } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { Me } from '@meridian/contract/me/account';
import type { MePost } from '@meridian/contract/me/posts';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardHeader } from '@meridian/ui/Card.tsx';
import { call } from '@meridian/ui/api/call.ts';
import { ApiError, isNotFound } from '@meridian/ui/api/errors.ts';
import { getPaused, queryClient, togglePaused, usePaused } from '@meridian/ui/api/query.ts';
import { formatNumber } from '@meridian/ui/format.ts';
import { EmptyState } from '@meridian/ui/placeholders.tsx';
import { FilterTabs } from '@meridian/ui/tabs.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import {
  mePostCancel,
  mePostDelete,
  mePostGet,
  mePostList,
  mePostRetry,
  serverNow,
} from '../api/calls.ts';
import { changeRead, type Read, readAgain, useRead } from '../api/reads.ts';
import { useConfirm } from '../parts.tsx';
import { PastPosts, type PastStatus, type PostActions, PostRows } from './PostRows.tsx';

type Tab = 'UPCOMING' | PastStatus;

const TABS: { value: Tab; label: string }[] = [
  { value: 'UPCOMING', label: 'Upcoming' },
  { value: 'COMPLETED', label: 'Published' },
  { value: 'FAILED', label: 'Failed' },
  { value: 'CANCELLED', label: 'Cancelled' },
];

/** The response may have been lost, or another device was first. A post without a status is gone. */
const unless = (post: MePost, status?: string) => async (error: unknown) => {
  if ((await read(post))?.status !== status) throw error;
};

type PostsCardProps = { me: Me; upcoming: Read<MePost[]>; onEdit: (post: MePost) => void };

export function PostsCard({ me, upcoming, onEdit }: PostsCardProps) {
  const [tab, setTab] = useState<Tab>('UPCOMING');
  const [round, setRound] = useState(0);
  const [nothing, setNothing] = useState('');
  const [dialog, ask] = useConfirm();
  const titleId = useId();

  const isPaused = usePaused();
  // The pause is the whole page's, and ends with the button that ends it.
  useEffect(() => () => (getPaused() ? togglePaused() : undefined), []);

  async function changed(message: string) {
    showToast({ message });
    setRound((before) => before + 1);
    await readAgain();
  }
  async function retry({ id }: MePost, iLooked: boolean) {
    await call(mePostRetry, { params: { id }, body: { iLooked } });
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
          const params = { id: post.id };
          await call(mePostCancel, { params }).catch(unless(post, 'CANCELLED'));
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
          await call(mePostDelete, { params: { id: post.id } }).catch(unless(post));
          changeUpcoming(me.user.id, (posts) => posts.filter(({ id }) => id !== post.id));
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
          <Button variant="ghost" size="sm" onClick={togglePaused}>
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
          onRetry={upcoming.retry}
          empty="Nothing is scheduled. Write your first post above."
          onEmpty={setNothing}
          actions={actions}
          more={
            // More posts may wait than are listed.
            me.usage.pendingPosts > MOST && (
              <p className="border-t border-border px-5 py-3 text-sm text-muted">
                The next {MOST} of {formatNumber(me.usage.pendingPosts)} waiting posts.
              </p>
            )
          }
        />
      ) : (
        <PastPosts
          key={`${tab} ${round}`}
          queryKey={[me.user.id, tab, `${round}`]}
          status={tab}
          onEmpty={setNothing}
          actions={actions}
        />
      )}
      {/* The element stays, so that a sentence that appears in it is read out. */}
      <div aria-live="polite">
        {nothing !== '' && (
          <EmptyState icon={<CalendarClock aria-hidden="true" />}>{nothing}</EmptyState>
        )}
      </div>
      {dialog}
    </Card>
  );
}

/** The soonest are those that a member looks for, and whose slots are taken. */
const MOST = 100;
/** More posts may leave the list at once; the others are found under their status. */
const FOLLOWED = 20;
const QUIET_MS = 15_000;
const SOON_MS = 2_000;

export function isOver({ status }: MePost): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING';
}

/** The list is read soon while a post is due, ever less often while it waits, and when the next one is due. */
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
 * Posts that are still to come. One that was listed here and has left stays, with its new status, as long
 * as the page does.
 */
export async function loadUpcoming(before: readonly MePost[], signal: AbortSignal) {
  const list = (status: 'PENDING' | 'PROCESSING') =>
    call(mePostList, { query: { status, limit: MOST, order: 'asc' } }, { signal });
  const [{ posts }, { posts: open }] = await Promise.all([list('PENDING'), list('PROCESSING')]);
  // A post that is claimed in between is in both.
  open.push(...posts.filter(({ id }) => !open.some((post) => post.id === id)));
  const left = before.filter(({ id }) => !open.some((post) => post.id === id));
  const followed = left.filter((post) => !isOver(post)).slice(0, FOLLOWED);
  const found = await Promise.all(followed.map((post) => read(post, signal)));
  return bySchedule([...open, ...left.filter(isOver), ...found.filter((post) => post !== null)]);
}

const bySchedule = (posts: MePost[]) =>
  posts.toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt));

/** Adds a post that was scheduled or changed just now, before the list is read again. */
export function withPost(posts: readonly MePost[], post: MePost): MePost[] {
  return bySchedule([...posts.filter(({ id }) => id !== post.id), post]);
}

/** Null when the post is no longer there. */
async function read({ id }: MePost, signal?: AbortSignal): Promise<MePost | null> {
  try {
    return (await call(mePostGet, { params: { id } }, { signal })).post;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

const upcomingKey = (memberId: string) => [memberId, 'UPCOMING'];

export function useUpcoming(memberId: string): Read<MePost[]> {
  const queryKey = upcomingKey(memberId);
  return useRead(
    queryKey,
    (signal) => loadUpcoming(queryClient.getQueryData<MePost[]>(queryKey) ?? [], signal),
    (posts) => pauseAfter(posts, serverNow()),
  );
}

export function changeUpcoming(memberId: string, next: (posts: MePost[]) => MePost[]): void {
  changeRead(upcomingKey(memberId), next);
}
