import type { AnswerOf } from '@meridian/contract/endpoint';
import { RECENT_POSTS_SIZE, type userPosts } from '@meridian/contract/posts';
import type { UseQueryResult } from '@tanstack/react-query';
import { LoadNote } from '../../components/LoadNote.tsx';
import { useLoggedError } from '../../components/use-logged-error.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { RecentPost } from './RecentPost.tsx';

interface RecentPostsCardProps {
  query: UseQueryResult<AnswerOf<typeof userPosts>>;
}

export function RecentPostsCard({ query }: RecentPostsCardProps) {
  useLoggedError("Failed to load the user's posts", query.error);
  const { data, isError, isFetching, isPending, refetch } = query;
  // A server that does not count to ten is cut short.
  const posts = data?.posts.slice(0, RECENT_POSTS_SIZE) ?? [];
  return (
    <Card aria-labelledby="recent-posts">
      <CardHeader title="Recent Posts" titleId="recent-posts" />
      {posts.length > 0 ? (
        <ul className="divide-y divide-border">
          {posts.map((post) => (
            <RecentPost key={post.id} post={post} />
          ))}
        </ul>
      ) : (
        <CardBody>
          {isPending && <Skeleton height="8rem" className="rounded-lg" />}
          {isError && (
            <LoadNote isRetrying={isFetching} onRetry={() => void refetch()}>
              The posts could not be loaded.
            </LoadNote>
          )}
          {data !== undefined && <p className="text-base text-muted">No scheduled posts</p>}
        </CardBody>
      )}
    </Card>
  );
}
