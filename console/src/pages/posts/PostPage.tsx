import { POST_MESSAGES, postGet, postList } from '@meridian/contract/posts';
import { useState } from 'react';
import { useParams } from 'react-router';
import { isMeridian } from '../../api/service.ts';
import { isNotFound, messageOfMissing } from '../../api/api-error.ts';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { HistoryCard } from '../../components/audit/HistoryCard.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { NeighbourLinks, type NeighbourList } from '../../components/navigation/NeighbourLinks.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { postsPageAt } from './posts-params.ts';
import { PostDangerZone } from './PostDangerZone.tsx';
import { PostFailure } from './PostFailure.tsx';
import { PostInformation } from './PostInformation.tsx';
import { PostPreview } from './PostPreview.tsx';
import { PostRetry } from './PostRetry.tsx';
import { PostSkeleton } from './PostSkeleton.tsx';
import { PostStatusCard } from './PostStatusCard.tsx';
import { PostSummary } from './PostSummary.tsx';
import { useDelivery, usePostPoll } from './use-delivery.ts';

const POSTS: NeighbourList<typeof postList> = {
  endpoint: postList,
  path: paths.posts,
  pathOf: paths.post,
  argsAt: (search) => postsPageAt(search, isMeridian()),
  pageOf: ({ posts, cursors }) => ({ ids: posts.map(({ id }) => id), cursors }),
};

export function PostPage() {
  const { postId = '' } = useParams();
  const pollMs = usePostPoll();
  const [deletedId, setDeletedId] = useState<string>();
  // What was just deleted is not read again: the message stands until the page goes.
  const enabled = deletedId !== postId;
  const query = useEndpointQuery(postGet, { params: { id: postId } }, { pollMs, enabled });
  // Both are asked for at once and shown at once: nothing moves when the second comes.
  const delivery = useDelivery(postId, query.data?.post, enabled);
  const post = delivery.isPending ? undefined : query.data?.post;
  const isMissing = isNotFound(query.error);
  return (
    <>
      <PageTitle
        back={
          <>
            <BackLink to={paths.posts}>Back to Posts</BackLink>
            <NeighbourLinks list={POSTS} id={postId} />
          </>
        }
        title="Post Details"
        beside={
          (query.error === null || (post !== undefined && !isMissing)) && (
            <PostSummary post={post} />
          )
        }
      />
      {query.error !== null && !isMissing && (
        <LoadError className="mb-4" query={query} failed={POST_MESSAGES.loadFailed} />
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
          <PostRetry post={post} isDeleted={post.id === deletedId} />
          <div className="grid items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="flex min-w-0 flex-col gap-4">
              <PostPreview post={post} />
              {delivery.query && <DeliveryCard query={delivery.query} />}
              <HistoryCard key={post.id} entity="post" entityId={post.id} />
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
