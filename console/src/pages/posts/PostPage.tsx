import { POST_MESSAGES, postGet } from '@meridian/contract/posts';
import { useParams } from 'react-router';
import { isNotFound } from '../../api/api-error.ts';
import { prefetchEndpoint, useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PostDangerZone } from './PostDangerZone.tsx';
import { PostInformation } from './PostInformation.tsx';
import { PostPreview } from './PostPreview.tsx';
import { PostSkeleton } from './PostSkeleton.tsx';
import { PostStatusCard } from './PostStatusCard.tsx';

export const prefetch: Prefetch = ({ params }) =>
  prefetchEndpoint(postGet, { params: { id: params['postId'] ?? '' } });

export function PostPage() {
  const { postId = '' } = useParams();
  const query = useEndpointQuery(postGet, { params: { id: postId } });
  const post = query.data?.post;
  return (
    <>
      <PageTitle
        back={<BackLink to={paths.posts}>Back to Posts</BackLink>}
        title="Post Details"
        context="What was scheduled, for when, and what became of it"
      />
      {query.error !== null && !isNotFound(query.error) && (
        <LoadError
          className="mb-4"
          error={query.error}
          failed={POST_MESSAGES.loadFailed}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {isNotFound(query.error) ? (
        <EmptyState>{POST_MESSAGES.notFound}</EmptyState>
      ) : post === undefined ? (
        query.error === null && <PostSkeleton />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <PostPreview post={post} />
          <div className="flex min-w-0 flex-col gap-4">
            <PostInformation post={post} />
            <PostStatusCard post={post} />
            <PostDangerZone id={post.id} />
          </div>
        </div>
      )}
    </>
  );
}
