import { ExternalLink } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import type { MePost } from '@meridian/contract/me/posts';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Badge, type Tone } from '@meridian/ui/Badge.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { call } from '@meridian/ui/api/call.ts';
import { buttonClass, cx } from '@meridian/ui/classes.ts';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { sentenceOf, useAction } from '../api/actions.ts';
import { mePostList } from '../api/calls.ts';
import { useRead } from '../api/reads.ts';
import { LinkPreview } from '../parts.tsx';

type PostRowsProps = {
  posts: readonly MePost[] | undefined;
  error: unknown;
  onRetry: () => void;
  empty: string;
  /** Shows the sentence where it is read out; an empty one while there are posts. */
  onEmpty: (sentence: string) => void;
  actions: PostActions;
  more?: ReactNode;
};

/** The posts, or what stands in for them. Those that were read before stay while a later attempt fails. */
export function PostRows(props: PostRowsProps) {
  const { posts, error, onRetry, empty, onEmpty, actions, more } = props;
  const isEmpty = posts?.length === 0;
  // An effect after the paint would make the list jump.
  useLayoutEffect(() => onEmpty(isEmpty ? empty : ''), [isEmpty, empty, onEmpty]);
  if (posts === undefined && error === undefined) return <PostRowsSkeleton />;
  return (
    <>
      {/* The top of the page tells that the browser is offline. */}
      {error !== undefined && (posts === undefined || navigator.onLine) && (
        <Alert
          className="mx-5 mb-4"
          action={
            <Button size="sm" onClick={onRetry}>
              Retry
            </Button>
          }
        >
          {sentenceOf(error)}
        </Alert>
      )}
      {posts !== undefined && posts.length > 0 && (
        <ul className="divide-y divide-border border-t border-border">
          {posts.map((post) => (
            <PostItem key={post.id} post={post} actions={actions} />
          ))}
        </ul>
      )}
      {more}
    </>
  );
}

export type PostActions = Record<'edit' | 'cancel' | 'retry' | 'delete', (post: MePost) => void>;

const STATUSES: Readonly<Record<string, [label: string, tone: Tone]>> = {
  PENDING: ['Scheduled', 'blue'],
  PROCESSING: ['Going out', 'violet'],
  COMPLETED: ['Published', 'green'],
  FAILED: ['Failed', 'red'],
  CANCELLED: ['Cancelled', 'gray'],
};

const ACTIONS = [
  ['edit', 'Edit'],
  ['cancel', 'Cancel'],
  ['retry', 'Try again'],
  ['delete', 'Delete'],
] as const;

function PostItem({ post, actions }: { post: MePost; actions: PostActions }) {
  const [label, tone] = STATUSES[post.status] ?? [post.status, 'gray' as const];
  const lang = post.languages[0];
  return (
    <li className="flex flex-col gap-2.5 px-5 py-4">
      <div id={post.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <Badge tone={tone}>{label}</Badge>
        <Time value={post.publishedAt ?? post.scheduledAt} />
        {post.thread.length > 0 && <span>Thread of {post.thread.length + 1}</span>}
        {post.retriedAs !== null && <span>Tried again</span>}
      </div>
      {post.content !== '' && (
        <p dir="auto" lang={lang} className="line-clamp-6 whitespace-pre-line wrap-anywhere">
          <SafeText as="span">{post.content}</SafeText>
        </p>
      )}
      {post.images.length > 0 && (
        <ul aria-label="Pictures" className="flex flex-wrap gap-2">
          {post.images.map(({ media, alt }) => (
            <li key={media.id}>
              <img
                src={media.url}
                alt={alt === '' ? 'Picture without a description' : alt}
                lang={alt === '' ? undefined : lang}
                loading="lazy"
                className="h-20 w-28 rounded bg-sunken object-cover"
              />
            </li>
          ))}
        </ul>
      )}
      {post.external !== null && post.images.length === 0 && (
        <LinkPreview card={post.external} lang={lang} />
      )}
      {post.sentence !== null && (
        <p className={cx('text-sm', post.status === 'FAILED' ? 'text-red' : 'text-amber')}>
          <SafeText>{post.sentence}</SafeText>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {post.url !== null && (
          <a
            href={post.url}
            target="_blank"
            rel="noreferrer"
            className={buttonClass({ size: 'sm' })}
          >
            <ExternalLink aria-hidden="true" className="size-3.5" />
            View on Bluesky
          </a>
        )}
        {ACTIONS.filter(([name]) => post.can[name]).map(([name, word]) => (
          <Button
            key={name}
            size="sm"
            aria-describedby={post.id}
            variant={name === 'delete' ? 'ghost' : 'secondary'}
            onClick={() => actions[name](post)}
          >
            {word}
          </Button>
        ))}
      </div>
    </li>
  );
}

export type PastStatus = 'COMPLETED' | 'FAILED' | 'CANCELLED';

const PAUSE_MS = 15_000;
const EMPTY: Record<PastStatus, string> = {
  COMPLETED: 'Nothing is published yet.',
  FAILED: 'No post has failed.',
  CANCELLED: 'No post was cancelled.',
};

type PastPostsProps = {
  queryKey: readonly string[];
  status: PastStatus;
  onEmpty: (sentence: string) => void;
  actions: PostActions;
};

/** The latest page is read again by itself; older ones are added by a press. */
export function PastPosts({ queryKey, status, onEmpty, actions }: PastPostsProps) {
  const latest = useRead(
    queryKey,
    (signal) => call(mePostList, { query: { status } }, { signal }),
    () => PAUSE_MS,
  );
  const first = latest.data?.posts;
  const [older, setOlder] = useState<{ posts: MePost[]; next: string | null }>();
  const next = older === undefined ? latest.data?.cursors?.next : older.next;
  const more = useAction(async (cursor: string) => {
    const page = await call(mePostList, { query: { status, cursor } });
    setOlder((now) => ({
      // A post that newer ones push out of the first page stays.
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
      onRetry={latest.retry}
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

export function PostRowsSkeleton() {
  return (
    <div aria-live="polite" className="border-t border-border">
      <span className="sr-only">Loading your posts...</span>
      {[0, 1].map((row) => (
        <div key={row} className="flex flex-col gap-3 border-b border-border px-5 py-4">
          <Skeleton width="12rem" />
          <Skeleton />
          <Skeleton width="60%" />
        </div>
      ))}
    </div>
  );
}
