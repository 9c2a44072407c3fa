import { assignmentList } from '@meridian/contract/assignments';
import { userPosts } from '@meridian/contract/posts';
import { USER_MESSAGES, userGet } from '@meridian/contract/users';
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
import { AssignmentsCard } from './AssignmentsCard.tsx';
import { ManagementCard } from './ManagementCard.tsx';
import { ProfileCard } from './ProfileCard.tsx';
import { RecentPostsCard } from './RecentPostsCard.tsx';
import { RECENT_POSTS } from './recent-posts.ts';
import { UserHeader } from './UserHeader.tsx';
import { UserSkeleton } from './UserSkeleton.tsx';

export function UserPage() {
  const { userId = '' } = useParams();
  const params = { id: userId };
  const { data, error, isFetching, refetch } = useEndpointQuery(userGet, { params });
  const assignments = useEndpointQuery(assignmentList, { params });
  const posts = useEndpointQuery(userPosts, { params, query: RECENT_POSTS });

  if (data === undefined) {
    if (error === null) return <UserSkeleton />;
    const title = isNotFound(error)
      ? messageOfMissing(error, USER_MESSAGES.notFound, USER_MESSAGES.loadFailed)
      : 'User';
    return (
      <>
        <PageTitle title={title} back={<BackLink to={paths.users}>Back to Users</BackLink>} />
        {isNotFound(error) ? (
          <Card as="div">
            <EmptyState action={<LinkButton to={paths.users}>See all users</LinkButton>}>
              No user has this ID.
            </EmptyState>
          </Card>
        ) : (
          <LoadError
            error={error}
            failed={USER_MESSAGES.loadFailed}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
      </>
    );
  }

  const { user } = data;
  return (
    <>
      <UserHeader user={user} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20.5rem]">
        <div className="grid gap-4 md:grid-cols-2 xl:col-start-2 xl:grid-cols-1">
          <ProfileCard user={user} />
          <ManagementCard user={user} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-1 xl:row-start-1">
          <AssignmentsCard user={user} query={assignments} />
          {/* Not even as a skeleton below a card of unknown height, which would push it down. */}
          {!assignments.isPending && <RecentPostsCard user={user} query={posts} />}
        </div>
      </div>
    </>
  );
}
