import { ArrowUpRight } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { deliveryGet } from '@meridian/contract/engine';
import { networkPageOf } from '@meridian/contract/network';
import {
  type Post,
  POST_MESSAGES,
  POST_STATUSES,
  postCan,
  postGet,
  postList,
} from '@meridian/contract/posts';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { pageConfig } from '@meridian/ui/api/page-config.ts';
import { isNotFound, messageOfMissing } from '@meridian/ui/api/errors.ts';
import { type LoaderArgs, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { expectMeridian, isMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
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
import { DeliveryCard, pollMsOf, useDelivery } from './delivery.tsx';
import { postsPageAt } from './filters.tsx';
import { PostPreview } from './preview.tsx';

export function loader({ id }: LoaderArgs): void {
  prefetch(postGet, { params: { id } });
  if (expectMeridian() === true) prefetch(deliveryGet, { params: { id } });
}

export function Component() {
  const { postId = '' } = useParams();
  const isOffered = useIsMeridian();
  const [deletedId, setDeletedId] = useState<string>();
  // A post that was just deleted is not read again: the message stands until the page goes.
  const enabled = deletedId !== postId;
  const pollMs = (data?: { post: Post }) => (isOffered ? pollMsOf(data?.post) : undefined);
  const query = useEndpointQuery(postGet, { params: { id: postId } }, { pollMs, enabled });
  const delivery = useDelivery(postId, query.data?.post, enabled);
  // Both are asked for at once and shown at once: nothing moves when the second comes.
  const post = delivery.isLoading ? undefined : query.data?.post;
  const isMissing = isNotFound(query.error);
  const isShown = query.error === null || (post !== undefined && !isMissing);
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
        beside={isShown && <PostSummary post={post} />}
      />
      {query.error !== null && !isMissing && (
        <LoadError className="mb-4" query={query} failed={POST_MESSAGES.loadFailed} />
      )}
      {isMissing && (
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
      )}
      {isShown && post === undefined && <PostSkeleton />}
      {isShown && post !== undefined && (
        <>
          <PostFailure post={post} />
          <PostRetry post={post} isDeleted={post.id === deletedId} />
          <div className={COLUMNS}>
            <div className="flex min-w-0 flex-col gap-4">
              <PostPreview post={post} />
              {isOffered && <DeliveryCard query={delivery} />}
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

const COLUMNS = 'grid items-start gap-4 @3xl:grid-cols-[minmax(0,1fr)_20rem]';
const POSTS: NeighbourList<typeof postList> = {
  endpoint: postList,
  path: paths.posts,
  pathOf: paths.post,
  argsAt: (search) => postsPageAt(search, isMeridian()),
  pageOf: ({ posts, cursors }) => ({ ids: posts.map(({ id }) => id), cursors }),
};

function PostSummary({ post }: { post: Post | undefined }) {
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

function PostFailure({ post }: { post: Post }) {
  if (!post.error_msg) return null;
  return (
    <Alert
      className="mb-4 whitespace-pre-wrap"
      // The failure was there when the page opened, so it is not announced.
      live="none"
      title={post.status === 'FAILED' ? 'This post was not published' : 'The last attempt failed'}
    >
      <SafeText>{post.error_msg}</SafeText>
    </Alert>
  );
}

function PostInformation({ post }: { post: Post | undefined }) {
  const networkPage =
    post && postCan.viewOnNetwork(post) ? networkPageOf(post, pageConfig().networkUrl) : null;
  const skeleton = <Skeleton width="9rem" />;
  const nothing = post ? NOTHING : skeleton;
  return (
    <Card aria-labelledby="post-information">
      <CardHeader title="Information" titleId="post-information" />
      <CardBody>
        {/* A column has room for most handles. */}
        <DescriptionList minColumn="11rem">
          <DescriptionItem label="Status">
            {post ? <StatusBadge status={post.status} /> : skeleton}
          </DescriptionItem>
          <DescriptionItem label="Post ID" wide>
            {post ? <Mono value={post.id} copyLabel="Copy post ID" /> : skeleton}
          </DescriptionItem>
          <DescriptionItem label="User">
            {post ? <AuthorLink post={post} /> : skeleton}
          </DescriptionItem>
          {TIMES.map(([label, field]) => (
            <DescriptionItem key={field} label={label}>
              {post ? <Time value={post[field]} /> : skeleton}
            </DescriptionItem>
          ))}
          <DescriptionItem label="AT URI" wide>
            {post?.at_uri ? <Mono value={post.at_uri} copyLabel="Copy AT URI" /> : nothing}
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
            {post?.error_msg ? (
              <span className="whitespace-pre-wrap text-danger">
                <SafeText>{post.error_msg}</SafeText>
              </span>
            ) : (
              nothing
            )}
          </DescriptionItem>
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

const TIMES = [
  ['Scheduled At', 'scheduled_at'],
  ['Created At', 'created_at'],
  ['Updated At', 'updated_at'],
  ['Executed At', 'executed_at'],
] as const;

function AuthorLink({ post }: { post: Post }) {
  const { id, handle, did } = authorIdsOf(post);
  return (
    <AppLink to={paths.user(id)} className="rounded-sm text-accent-text hover:underline">
      {handle === null ? <Mono value={did ?? id} /> : <SafeText>{handle}</SafeText>}
    </AppLink>
  );
}

function PostSkeleton() {
  return (
    <>
      <LoadingNote />
      <div className={COLUMNS}>
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
          <PostInformation post={undefined} />
          <Card as="div">
            <CardHeader title="Change Status" description={<Skeleton width="11rem" />} />
            <CardBody className="grid gap-2 @3xs:grid-cols-2">
              {POST_STATUSES.map((status) => (
                <Skeleton key={status} height="var(--control-height)" />
              ))}
            </CardBody>
          </Card>
        </div>
      </div>
    </>
  );
}
