import { networkPageOf } from '@meridian/contract/network';
import type { Post } from '@meridian/contract/posts';
import { postCan } from '@meridian/contract/posts';
import { ArrowUpRight } from 'lucide-react';
import { pageConfig } from '../../api/page-config.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { authorIdsOf } from './post-author.ts';

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
