import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { networkPageOf } from '@meridian/contract/network';
import { type Post, POST_MESSAGES, postCan, postGet, postList } from '@meridian/contract/posts';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { isNotFound, messageOfMissing } from '@meridian/ui/api/errors.ts';
import { type LoaderArgs, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { expectMeridian, isMeridian } from '@meridian/ui/api/session.ts';
import { LoadError } from '@meridian/ui/failures.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { AppLink, ExternalLink, LinkButton } from '@meridian/ui/links.tsx';
import { EmptyState, LoadingNote, Skeleton } from '@meridian/ui/placeholders.tsx';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { NeighbourLinks, type NeighbourList } from '../../components/NeighbourLinks.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { authorIdsOf } from '../../components/post-content.ts';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';
import { PostDangerZone, PostRetry, PostStatusCard } from './deeds.tsx';
import { DeliveryCard, useDelivery, usePostPoll } from './delivery.tsx';
import { postsPageAt } from './filters.tsx';
import { PostPreview } from './preview.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { deliveryGet } from '@meridian/contract/engine';
import { pageConfig } from '@meridian/ui/api/page-config.ts';

const POSTS: NeighbourList<typeof postList> = {
  endpoint: postList,
  path: paths.posts,
  pathOf: paths.post,
  argsAt: (search) => postsPageAt(search, isMeridian()),
  pageOf: ({ posts, cursors }) => ({ ids: posts.map(({ id }) => id), cursors }),
};

export function loader({ id }: LoaderArgs): void {
  prefetch(postGet, { params: { id } });
  if (expectMeridian() === true) prefetch(deliveryGet, { params: { id } });
}

export function Component() {
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

/** Why the post was not published, above everything else about it. */
export function PostFailure({ post }: { post: Post }) {
  if (!post.error_msg) return null;
  return (
    <Alert
      className="mb-4 whitespace-pre-wrap"
      // It was there when the page opened: nothing that has just happened.
      live="none"
      title={post.status === 'FAILED' ? 'This post was not published' : 'The last attempt failed'}
    >
      <SafeText>{post.error_msg}</SafeText>
    </Alert>
  );
}

/** What is known of a post, in the order of the specification. */
export function PostInformation({ post }: { post: Post }) {
  const networkPage = postCan.viewOnNetwork(post)
    ? networkPageOf(post, pageConfig().networkUrl)
    : null;
  const { id: userId, handle, did } = authorIdsOf(post);
  return (
    <Card aria-labelledby="post-information">
      <CardHeader title="Information" titleId="post-information" />
      <CardBody>
        {/* Room for most handles, which no date needs. */}
        <DescriptionList minColumn="11rem">
          <DescriptionItem label="Status">
            <StatusBadge status={post.status} />
          </DescriptionItem>
          <DescriptionItem label="Post ID" wide>
            <Mono value={post.id} copyLabel="Copy post ID" />
          </DescriptionItem>
          <DescriptionItem label="User">
            <AppLink
              to={paths.user(userId)}
              className="rounded-sm text-accent-text hover:underline"
            >
              {handle === null ? <Mono value={did ?? userId} /> : <SafeText>{handle}</SafeText>}
            </AppLink>
          </DescriptionItem>
          <DescriptionItem label="Scheduled At">
            <Time value={post.scheduled_at} />
          </DescriptionItem>
          <DescriptionItem label="Created At">
            <Time value={post.created_at} />
          </DescriptionItem>
          <DescriptionItem label="Updated At">
            <Time value={post.updated_at} />
          </DescriptionItem>
          <DescriptionItem label="Executed At">
            <Time value={post.executed_at} />
          </DescriptionItem>
          <DescriptionItem label="AT URI" wide>
            {post.at_uri ? <Mono value={post.at_uri} copyLabel="Copy AT URI" /> : NOTHING}
          </DescriptionItem>
          {networkPage !== null && (
            <DescriptionItem label="Bluesky" wide>
              <ExternalLink href={networkPage} className="inline-flex items-center gap-1">
                View on Bluesky
                <ArrowUpRight aria-hidden="true" className="size-4" />
              </ExternalLink>
            </DescriptionItem>
          )}
          <DescriptionItem label="Error Message" wide>
            {post.error_msg ? (
              <span className="whitespace-pre-wrap text-danger">
                <SafeText>{post.error_msg}</SafeText>
              </span>
            ) : (
              NOTHING
            )}
          </DescriptionItem>
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

/** What every post has, in the order of the specification. */
const LABELS = [
  'Status',
  'Post ID',
  'User',
  'Scheduled At',
  'Created At',
  'Updated At',
  'Executed At',
  'AT URI',
  'Error Message',
];
const CHOICES = 5;

/** The boxes of a post before it is there, headed as they will be. */
export function PostSkeleton() {
  return (
    <>
      <LoadingNote />
      <div className="grid items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Card as="div">
          <CardHeader title="Post" />
          <div className="flex flex-col gap-4 px-5 pb-5">
            <div className="flex items-center gap-3">
              <Skeleton width="2.5rem" height="2.5rem" round />
              <Skeleton width="12rem" />
            </div>
            <Skeleton width="90%" />
            <Skeleton width="75%" />
          </div>
        </Card>
        <div className="flex flex-col gap-4">
          <Card as="div">
            <CardHeader title="Information" />
            <CardBody>
              <DescriptionList minColumn="11rem">
                {LABELS.map((label) => (
                  <DescriptionItem key={label} label={label}>
                    <Skeleton width="9rem" />
                  </DescriptionItem>
                ))}
              </DescriptionList>
            </CardBody>
          </Card>
          <Card as="div">
            <CardHeader title="Change Status" description={<Skeleton width="11rem" />} />
            <CardBody className="grid gap-2 @3xs:grid-cols-2">
              {Array.from({ length: CHOICES }, (_, index) => (
                // They have no identity of their own and never move.
                // oxlint-disable-next-line react/no-array-index-key
                <Skeleton key={index} height="var(--control-height)" />
              ))}
            </CardBody>
          </Card>
        </div>
      </div>
    </>
  );
}
