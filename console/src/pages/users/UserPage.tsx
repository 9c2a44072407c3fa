import { accountGet } from '@meridian/contract/accounts';
import { assignmentList } from '@meridian/contract/assignments';
import { userPosts } from '@meridian/contract/posts';
import { USER_MESSAGES, userGet } from '@meridian/contract/users';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import { useParams } from 'react-router';
import { isNotFound, messageOfMissing } from '../../api/api-error.ts';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { HistoryCard } from '../../components/audit/HistoryCard.tsx';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { usePicture } from '../../components/pictures/use-picture.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { AccountCard } from './AccountCard.tsx';
import { AssignmentsCard } from './AssignmentsCard.tsx';
import { ManagementCard } from './ManagementCard.tsx';
import { ProfileCard } from './ProfileCard.tsx';
import { RecentPostsCard } from './RecentPostsCard.tsx';
import { RECENT_POSTS } from './recent-posts.ts';
import { UserColumns } from './UserColumns.tsx';
import { UserHeader } from './UserHeader.tsx';
import { UserSkeleton } from './UserSkeleton.tsx';
import { ScheduleCheckCard } from './ScheduleCheckCard.tsx';

export function UserPage() {
  const { userId = '' } = useParams();
  const params = { id: userId };
  const query = useEndpointQuery(userGet, { params });
  const { data, error } = query;
  const avatar = usePicture(data?.user.avatar);
  const assignments = useEndpointQuery(assignmentList, { params });
  const posts = useEndpointQuery(userPosts, { params, query: RECENT_POSTS });
  const isMeridian = useIsMeridian();
  const scheduleCheck = useEndpointQuery(scheduleCheckGet, { params }, { enabled: isMeridian });
  const account = useEndpointQuery(accountGet, { params }, { enabled: isMeridian });

  // All are asked for at once and shown at once: nothing moves when the last one comes.
  if (data !== undefined && (scheduleCheck.isLoading || account.isLoading)) return <UserSkeleton />;
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
          <LoadError query={query} failed={USER_MESSAGES.loadFailed} />
        )}
      </>
    );
  }

  const { user } = data;
  return (
    <>
      <UserHeader user={user} avatar={avatar} />
      <UserColumns
        side={
          <>
            <ProfileCard user={user} src={avatar.src} />
            <ManagementCard key={user.id} user={user} />
            {isMeridian && <AccountCard user={user} query={account} />}
          </>
        }
        main={
          <>
            {isMeridian && <ScheduleCheckCard userId={user.id} query={scheduleCheck} />}
            <AssignmentsCard key={`assignments-${user.id}`} user={user} query={assignments} />
            {/* Not even as a skeleton below a card of unknown height, which would push it down. */}
            {!assignments.isPending && <RecentPostsCard user={user} query={posts} />}
            {!assignments.isPending && !posts.isPending && (
              <HistoryCard key={userId} entity="user" entityId={userId} />
            )}
          </>
        }
      />
    </>
  );
}
