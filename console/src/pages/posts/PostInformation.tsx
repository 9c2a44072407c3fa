import { ArrowUpRight } from 'lucide-react';
import type { Post } from '@meridian/contract/posts';
import { postCan } from '@meridian/contract/posts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { networkPageOf } from './content/identifiers.ts';
import { ExternalLink } from '../../components/ExternalLink.tsx';

export function PostInformation({ post }: { post: Post }) {
  const networkPage = postCan.viewOnNetwork(post) ? networkPageOf(post) : null;
  return (
    <Card aria-labelledby="post-information">
      <CardHeader title="Information" titleId="post-information" />
      <CardBody>
        {/* Room for most handles, which no date needs. */}
        <DescriptionList minColumn="11rem">
          <DescriptionItem label="Status">
            <StatusBadge status={post.status} />
          </DescriptionItem>
          <DescriptionItem label="User">
            <AppLink
              to={paths.user(post.user_id)}
              className="rounded-sm text-accent-text hover:underline"
            >
              {post.user === null ? (
                <Mono value={post.user_id} />
              ) : (
                <SafeText>{post.user.handle}</SafeText>
              )}
            </AppLink>
          </DescriptionItem>
          <DescriptionItem label="Scheduled At">
            <Time value={post.scheduled_at} />
          </DescriptionItem>
          <DescriptionItem label="Executed At">
            <Time value={post.executed_at} />
          </DescriptionItem>
          <DescriptionItem label="Created At">
            <Time value={post.created_at} />
          </DescriptionItem>
          <DescriptionItem label="Updated At">
            <Time value={post.updated_at} />
          </DescriptionItem>
          <DescriptionItem label="Post ID" wide>
            <Mono value={post.id} copyLabel="Copy post ID" />
          </DescriptionItem>
          {post.at_uri !== null && (
            <DescriptionItem label="AT URI" wide>
              <Mono value={post.at_uri} copyLabel="Copy AT URI" />
            </DescriptionItem>
          )}
          {networkPage !== null && (
            <DescriptionItem label="On the network" wide>
              <ExternalLink href={networkPage} className="inline-flex items-center gap-1">
                View on Bluesky
                <ArrowUpRight aria-hidden="true" className="size-4" />
              </ExternalLink>
            </DescriptionItem>
          )}
          {post.error_msg !== null && post.error_msg !== '' && (
            <DescriptionItem label="Error Message" wide>
              <span className="whitespace-pre-wrap text-danger">
                <SafeText>{post.error_msg}</SafeText>
              </span>
            </DescriptionItem>
          )}
        </DescriptionList>
      </CardBody>
    </Card>
  );
}
