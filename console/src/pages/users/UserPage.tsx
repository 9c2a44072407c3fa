import { assignmentList } from '@meridian/contract/assignments';
import { RECENT_POSTS_SIZE, userPosts } from '@meridian/contract/posts';
import { USER_MESSAGES, userGet } from '@meridian/contract/users';
import { useParams } from 'react-router';
import { isNotFound } from '../../api/api-error.ts';
import { prefetchEndpoint, useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import type { Prefetch } from '../../components/navigation/prefetch.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { AssignmentsCard } from './AssignmentsCard.tsx';
import { ManagementCard } from './ManagementCard.tsx';
import { ProfileCard } from './ProfileCard.tsx';
import { RecentPostsCard } from './RecentPostsCard.tsx';
import { UserHeader } from './UserHeader.tsx';
import { UserSkeleton } from './UserSkeleton.tsx';

const RECENT = { limit: RECENT_POSTS_SIZE };

export const prefetch: Prefetch = ({ params: { userId = '' } }) => {
  const params = { id: userId };
  prefetchEndpoint(userGet, { params });
  prefetchEndpoint(assignmentList, { params });
  prefetchEndpoint(userPosts, { params, query: RECENT });
};

export function UserPage() {
  const { userId = '' } = useParams();
  const params = { id: userId };
  const { data, error, isFetching, refetch } = useEndpointQuery(userGet, { params });
  const assignments = useEndpointQuery(assignmentList, { params });
  const posts = useEndpointQuery(userPosts, { params, query: RECENT });

  if (data === undefined) {
    if (error === null) return <UserSkeleton />;
    const title = isNotFound(error) ? USER_MESSAGES.notFound : 'User';
    return (
      <>
        <PageTitle title={title} back={<BackLink to={paths.users}>Back to Users</BackLink>} />
        {isNotFound(error) ? (
          <p className="text-base text-muted">Nobody with this id uses the service.</p>
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
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20.5rem]">
        <div className="flex flex-col gap-4 lg:col-start-2">
          <ProfileCard user={user} />
          <ManagementCard user={user} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:col-start-1 lg:row-start-1">
          <AssignmentsCard user={user} query={assignments} />
          {/* Below a card that is still growing it would be pushed about. */}
          {!assignments.isPending && <RecentPostsCard query={posts} />}
        </div>
      </div>
    </>
  );
}
