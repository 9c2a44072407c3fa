import type { Post } from '@meridian/contract/posts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';

/** Beside the heading: how the post stands, and when it is or was due. */
export function PostSummary({ post }: { post: Post | undefined }) {
  if (post === undefined) return <Skeleton width="14rem" height="1.375rem" />;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={post.status} />
      <span>
        Scheduled for <Time value={post.scheduled_at} />
      </span>
    </span>
  );
}
