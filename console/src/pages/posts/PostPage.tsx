import { POST_MESSAGES, postGet } from '@meridian/contract/posts';
import { useState } from 'react';
import { useParams } from 'react-router';
import { isNotFound, messageOfMissing } from '../../api/api-error.ts';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { PostDangerZone } from './PostDangerZone.tsx';
import { PostFailure } from './PostFailure.tsx';
import { PostInformation } from './PostInformation.tsx';
import { PostPreview } from './PostPreview.tsx';
import { PostSkeleton } from './PostSkeleton.tsx';
import { PostStatusCard } from './PostStatusCard.tsx';
import { PostSummary } from './PostSummary.tsx';
import { useDelivery, usePostPoll } from './use-delivery.ts';

export function PostPage() {
  const { postId = '' } = useParams();
  const pollMs = usePostPoll();
  const query = useEndpointQuery(postGet, { params: { id: postId } }, { pollMs });
  // Both are asked for at once and shown at once: nothing moves when the second comes.
  const delivery = useDelivery(postId, query.data?.post);
  const post = delivery?.isLoading === true ? undefined : query.data?.post;
  const [deletedId, setDeletedId] = useState<string>();
  const isMissing = isNotFound(query.error);
  return (
    <>
      <PageTitle
        back={<BackLink to={paths.posts}>Back to Posts</BackLink>}
        title="Post Details"
        beside={
          (query.error === null || (post !== undefined && !isMissing)) && (
            <PostSummary post={post} />
          )
        }
      />
      {query.error !== null && !isMissing && (
        <LoadError
          className="mb-4"
          error={query.error}
          failed={POST_MESSAGES.loadFailed}
          isRetrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {isMissing ? (
        <Card as="div">
          <EmptyState action={<LinkButton to={paths.posts}>See all posts</LinkButton>}>
            <span className="block font-medium text-text">
              <SafeText>
                {messageOfMissing(query.error, POST_MESSAGES.notFound, POST_MESSAGES.loadFailed)}
              </SafeText>
            </span>
            It may have been deleted, or the address may be incomplete.
          </EmptyState>
        </Card>
      ) : post === undefined ? (
        query.error === null && <PostSkeleton />
      ) : (
        <>
          <PostFailure post={post} />
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="flex min-w-0 flex-col gap-4">
              <PostPreview post={post} />
              {delivery && <DeliveryCard query={delivery} />}
            </div>
            <div className="flex min-w-0 flex-col gap-4">
              <PostInformation post={post} />
              <PostStatusCard post={post} isDeleted={post.id === deletedId} />
              <PostDangerZone
                post={post}
                isDeleted={post.id === deletedId}
                onDeleted={() => setDeletedId(post.id)}
              />
            </div>
          </div>
        </>
      )}
    </>
  );
}
