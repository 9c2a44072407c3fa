import type { MePost } from '@meridian/contract/me/posts';
import { CalendarClock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from '../../../console/src/ui/Alert.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { EmptyState } from '../../../console/src/ui/EmptyState.tsx';
import { sentenceOf } from '../api/call.ts';
import { type PostActions, PostItem } from './PostItem.tsx';
import { PostRowsSkeleton } from './PostRowsSkeleton.tsx';

type PostRowsProps = {
  posts: readonly MePost[] | undefined;
  error: unknown;
  onRetry: () => void;
  empty: string;
  actions: PostActions;
  more?: ReactNode;
};

/** Loading, failed, empty or full. What was read before stays while a later attempt fails. */
export function PostRows({ posts, error, onRetry, empty, actions, more }: PostRowsProps) {
  if (posts === undefined && error === undefined) return <PostRowsSkeleton />;
  return (
    <>
      {/* Offline is told once, at the top. */}
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
      {posts?.length === 0 && (
        <EmptyState icon={<CalendarClock aria-hidden="true" />}>{empty}</EmptyState>
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
