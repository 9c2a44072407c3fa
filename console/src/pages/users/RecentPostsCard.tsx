import type { userPosts } from '@meridian/contract/posts';
import type { User } from '@meridian/contract/users';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadNote } from '../../components/LoadNote.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { useLoggedError } from '../../components/use-logged-error.ts';
import { paths, withSearch } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { RecentPost } from './RecentPost.tsx';
import { RecentPostRows } from './RecentPostRows.tsx';

interface RecentPostsCardProps {
  user: User;
  query: EndpointQuery<typeof userPosts>;
}

export function RecentPostsCard({ user, query }: RecentPostsCardProps) {
  useLoggedError("Failed to load the user's posts", query.error);
  const { data, isPending } = query;
  const posts = data?.posts ?? [];
  return (
    <Card aria-labelledby="recent-posts">
      <CardHeader
        title="Recent Posts"
        titleId="recent-posts"
        // As tall without the link, which comes with the posts.
        className="min-h-[calc(var(--spacing-control-sm)+1.75rem)]"
        actions={
          posts.length > 0 && (
            <LinkButton
              size="sm"
              to={withSearch(paths.posts, { userFilter: user.did || user.handle })}
            >
              See all posts
            </LinkButton>
          )
        }
      />
      {isPending && <RecentPostRows />}
      {posts.length > 0 && (
        <ul className="divide-y divide-border">
          {posts.map((post) => (
            <RecentPost key={post.id} post={post} />
          ))}
        </ul>
      )}
      {posts.length === 0 && !isPending && (
        <CardBody>
          <LoadNote query={query}>The posts could not be loaded.</LoadNote>
          {data !== undefined && <p className="text-base text-muted">No scheduled posts</p>}
        </CardBody>
      )}
    </Card>
  );
}
