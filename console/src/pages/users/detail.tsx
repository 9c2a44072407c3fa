import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { accountGet } from '@meridian/contract/accounts';
import { assignmentList } from '@meridian/contract/assignments';
import { RECENT_POSTS_SIZE, userPosts } from '@meridian/contract/posts';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import {
  type User,
  USER_MESSAGES,
  USER_STATUSES,
  userGet,
  userList,
} from '@meridian/contract/users';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { VisuallyHidden } from '@meridian/ui/Table.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { isNotFound, messageOfMissing } from '@meridian/ui/api/errors.ts';
import {
  type EndpointQuery,
  type LoaderArgs,
  prefetch,
  useEndpointQuery,
} from '@meridian/ui/api/query.ts';
import { expectMeridian, isMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { LoadError } from '@meridian/ui/failures.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { LinkButton } from '@meridian/ui/links.tsx';
import {
  Avatar,
  ForeignAvatarNote,
  type ShownPicture,
  usePicture,
} from '@meridian/ui/pictures.tsx';
import { EmptyState, LoadingNote, Skeleton } from '@meridian/ui/placeholders.tsx';
import { HistoryCard } from '../../components/HistoryCard.tsx';
import { NeighbourLinks, type NeighbourList } from '../../components/NeighbourLinks.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { nameOf } from '../../components/users.tsx';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';
import { AssignmentsCard, AssignmentSkeleton } from './assignments.tsx';
import { AccountCard, ManagementCard } from './manage.tsx';
import { usersPageAt } from './params.ts';
import { RecentPostsCard, ScheduleCheckCard } from './schedule.tsx';

export function loader({ id }: LoaderArgs): void {
  const params = { id };
  prefetch(userGet, { params });
  prefetch(assignmentList, { params });
  prefetch(userPosts, { params, query: RECENT_POSTS });
  if (expectMeridian() === true) prefetch(scheduleCheckGet, { params });
}

export function Component() {
  const { userId = '' } = useParams();
  const params = { id: userId };
  const query = useEndpointQuery(userGet, { params });
  const { data, error } = query;
  const avatar = usePicture(data?.user.avatar);
  const assignments = useEndpointQuery(assignmentList, { params });
  const posts = useEndpointQuery(userPosts, { params, query: RECENT_POSTS });
  const enabled = useIsMeridian();
  const scheduleCheck = useEndpointQuery(scheduleCheckGet, { params }, { enabled });
  const account = useEndpointQuery(accountGet, { params }, { enabled });

  // All are asked for at once and shown at once: nothing moves when the last one comes.
  const isComplete = data !== undefined && !scheduleCheck.isLoading && !account.isLoading;
  if (data === undefined && error !== null) return <UserError query={query} />;
  if (!isComplete) return <UserSkeleton />;
  const { user } = data;
  return (
    <>
      <UserTitle user={user} avatar={avatar} />
      <UserColumns
        side={
          <>
            <ProfileCard user={user} src={avatar.src} />
            <ManagementCard key={user.id} user={user} />
            {enabled && <AccountCard user={user} query={account} />}
          </>
        }
        main={
          <>
            {enabled && <ScheduleCheckCard userId={user.id} query={scheduleCheck} />}
            <AssignmentsCard key={`assignments-${user.id}`} user={user} query={assignments} />
            {/* A skeleton below a card of unknown height would be pushed down. */}
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

const RECENT_POSTS = { limit: RECENT_POSTS_SIZE };

function UserError({ query }: { query: EndpointQuery<typeof userGet> }) {
  const { error } = query;
  const isMissing = isNotFound(error);
  const title = isMissing
    ? messageOfMissing(error, USER_MESSAGES.notFound, USER_MESSAGES.loadFailed)
    : 'User';
  return (
    <>
      <PageTitle title={title} back={<BackLink to={paths.users}>Back to Users</BackLink>} />
      {isMissing ? (
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

const USERS: NeighbourList<typeof userList> = {
  endpoint: userList,
  path: paths.users,
  pathOf: paths.user,
  argsAt: (search) => usersPageAt(search, isMeridian()),
  pageOf: ({ users, cursors }) => ({ ids: users.map(({ id }) => id), cursors }),
};

function UserTitle({ user, avatar: { src, foreign } }: { user: User; avatar: ShownPicture }) {
  const name = nameOf(user);
  return (
    <PageTitle
      back={
        <>
          <BackLink to={paths.users}>Back to Users</BackLink>
          <NeighbourLinks list={USERS} id={user.id} />
        </>
      }
      media={<Avatar src={src} name={name} size="lg" />}
      title={<SafeText>{name}</SafeText>}
      tabTitle={withoutHidden(name)}
      context={
        <>
          <div className="flex flex-wrap items-center gap-x-2">
            {user.handle !== '' && (
              <>
                <Handle>{user.handle}</Handle>
                <span aria-hidden="true" className="@max-xl:hidden">
                  ·
                </span>
              </>
            )}
            {user.did === '' ? (
              NOTHING
            ) : (
              <Mono value={user.did} copyLabel="Copy decentralised id" />
            )}
          </div>
          {foreign !== undefined && <ForeignAvatarNote picture={foreign} className="mt-1.5" />}
        </>
      }
      actions={<StatusBadge status={user.status} />}
    />
  );
}

/** The side stands first, or right of the rest where there is room: the Tab key follows that order. */
function UserColumns({ side, main }: { side: ReactNode; main: ReactNode }) {
  const [isWide, setWide] = useState(false);
  const box = useRef<HTMLDivElement>(null);

  // The styles below decide by the width of the page, which only the layout knows.
  useLayoutEffect(() => {
    const grid = box.current;
    if (grid === null) return undefined;
    const read = () => setWide(getComputedStyle(grid).gridTemplateColumns.includes(' '));
    read();
    const observer = new ResizeObserver(read);
    observer.observe(grid);
    return () => observer.disconnect();
  }, []);

  const columns = [
    // The first and the last of three cards stand beside the second.
    <div
      key="side"
      className="grid min-w-0 items-start gap-4 @2xl:grid-cols-2 @2xl:*:nth-2:not-last:row-span-2 @4xl:grid-cols-1"
    >
      {side}
    </div>,
    <div key="main" className="flex min-w-0 flex-col gap-4">
      {main}
    </div>,
  ];
  return (
    <div ref={box} className="grid items-start gap-4 @4xl:grid-cols-[minmax(0,1fr)_20.5rem]">
      {isWide ? columns.toReversed() : columns}
    </div>
  );
}

function ProfileCard({ user, src }: { user: User | undefined; src?: string | undefined }) {
  return (
    <Card aria-labelledby="profile">
      <CardHeader title="Profile" titleId="profile" />
      <CardBody>
        <DescriptionList minColumn="100%" dense>
          <DescriptionItem inline label="Avatar">
            {user ? (
              <Avatar src={src} name={nameOf(user)} />
            ) : (
              <Skeleton round width="1.875rem" height="1.875rem" />
            )}
          </DescriptionItem>
          {PROFILE.map(([label, width, valueOf]) => (
            <DescriptionItem key={label} inline label={label}>
              {user ? valueOf(user) : <Skeleton width={width} />}
            </DescriptionItem>
          ))}
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

type ProfileItem = readonly [label: string, skeletonWidth: string, (user: User) => ReactNode];

const PROFILE: readonly ProfileItem[] = [
  ['Name', '9rem', (user) => <SafeText className="wrap-anywhere">{nameOf(user)}</SafeText>],
  ['Handle', '10rem', ({ handle }) => (handle === '' ? NOTHING : <Handle>{handle}</Handle>)],
  ['DID', '14rem', ({ did }) => (did === '' ? NOTHING : <Mono value={did} />)],
  ['Created', '9rem', (user) => <Time value={user.created_at} />],
  ['Updated', '9rem', (user) => <Time value={user.updated_at} />],
  ['Access Keyword', '2rem', (user) => (user.has_access_keyword_access ? 'Yes' : 'No')],
  ['Active', '2rem', (user) => (user.is_active ? 'Yes' : 'No')],
];

function Handle({ children: handle }: { children: string }) {
  return (
    <span className="wrap-anywhere">
      @<SafeText>{handle}</SafeText>
    </span>
  );
}

function UserSkeleton() {
  return (
    <>
      <PageTitle
        back={<BackLink to={paths.users}>Back to Users</BackLink>}
        media={<Skeleton round width="3.5rem" height="3.5rem" />}
        tabTitle="User"
        title={
          <>
            <VisuallyHidden>User</VisuallyHidden>
            <Skeleton width="14rem" />
          </>
        }
        context={<Skeleton width="20rem" />}
      />
      <LoadingNote />
      <UserColumns
        side={
          <>
            <ProfileCard user={undefined} />
            <Card as="div">
              <CardHeader title="User Management" description={<Skeleton width="12rem" />} />
              <CardBody className="flex flex-col gap-4">
                <div className="grid gap-2 @3xs:grid-cols-2">
                  {USER_STATUSES.map((status) => (
                    <Skeleton key={status} height="var(--control-height)" className="rounded" />
                  ))}
                </div>
                <hr className="border-border" />
                <Skeleton height="var(--control-height)" className="rounded" />
              </CardBody>
            </Card>
          </>
        }
        main={
          <Card as="div">
            <CardHeader title="Plan Assignments" />
            <CardBody>
              <AssignmentSkeleton />
            </CardBody>
          </Card>
        }
      />
    </>
  );
}
