import { deliveryGet } from '@meridian/contract/engine';
import type { Post } from '@meridian/contract/posts';
import { useEffect, useRef } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { parseTime } from '../../ui/format-time.ts';

const POLL_MS = 2000;
const SOON_MS = 60_000;

/** How often a post is read again: often while a worker has it or is about to. */
function pollOf(post: Post | undefined): number | undefined {
  if (post === undefined) return undefined;
  const { status } = post;
  const dueInMs = (parseTime(post.scheduled_at)?.getTime() ?? Infinity) - Date.now();
  const isSoon = status === 'PENDING' && Math.abs(dueInMs) < SOON_MS;
  return status === 'PROCESSING' || isSoon ? POLL_MS : undefined;
}

/** For the read of the post itself: polled only where Meridian publishes. */
export function usePostPoll() {
  const isOffered = useIsMeridian();
  return (data: { post: Post } | undefined) => (isOffered ? pollOf(data?.post) : undefined);
}

/** The delivery of a post: pending until it is known. */
export function useDelivery(postId: string, post: Post | undefined, isThere: boolean) {
  const isOffered = useIsMeridian();
  const args = { params: { id: postId } };
  const query = useEndpointQuery(deliveryGet, args, {
    enabled: isOffered && isThere,
    pollMs: pollOf(post),
  });
  const { refetch } = query;
  const seen = useRef(post);
  // A changed post has another delivery, whether the engine or an administrator changed it.
  useEffect(() => {
    const before = seen.current;
    seen.current = post;
    const isChanged = before?.id === post?.id && before?.version !== post?.version;
    if (isOffered && isChanged) void refetch();
  }, [isOffered, post, refetch]);
  return {
    isPending: query.isLoading,
    query: isOffered ? query : undefined,
  };
}
