import type { MePost } from '@meridian/contract/me/posts';
import { type ReactNode, useLayoutEffect } from 'react';
import { Alert } from '../../../console/src/ui/Alert.tsx';
import { Button } from '../../../console/src/ui/Button.tsx';
import { sentenceOf } from '../api/call.ts';
import { type PostActions, PostItem } from './PostItem.tsx';
import { PostRowsSkeleton } from './PostRowsSkeleton.tsx';

type PostRowsProps = {
  posts: readonly MePost[] | undefined;
  error: unknown;
  onRetry: () => void;
  empty: string;
  /** Shows the sentence where it is read out; an empty one while there are posts, or none are known. */
  onEmpty: (sentence: string) => void;
  actions: PostActions;
  more?: ReactNode;
};

/** Loading, failed or full. What was read before stays while a later attempt fails. */
export function PostRows(props: PostRowsProps) {
  const { posts, error, onRetry, empty, onEmpty, actions, more } = props;
  const isEmpty = posts?.length === 0;
  // Before it is painted, so that nothing jumps.
  useLayoutEffect(() => onEmpty(isEmpty ? empty : ''), [isEmpty, empty, onEmpty]);
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
