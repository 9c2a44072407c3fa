import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useParams } from 'react-router';
import { accountGet } from '@meridian/contract/accounts';
import { assignmentList } from '@meridian/contract/assignments';
import { userPosts } from '@meridian/contract/posts';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import { type User, USER_MESSAGES, userGet, userList } from '@meridian/contract/users';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { VisuallyHidden } from '@meridian/ui/Table.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { isNotFound, messageOfMissing } from '@meridian/ui/api/errors.ts';
import { type LoaderArgs, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
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
import { RECENT_POSTS, usersPageAt } from './params.ts';
import { RecentPostsCard, ScheduleCheckCard } from './schedule.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';

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

const USERS: NeighbourList<typeof userList> = {
  endpoint: userList,
  path: paths.users,
  pathOf: paths.user,
  argsAt: (search) => usersPageAt(search, isMeridian()),
  pageOf: ({ users, cursors }) => ({ ids: users.map(({ id }) => id), cursors }),
};

interface UserHeaderProps {
  user: User;
  avatar: ShownPicture;
}

export function UserHeader({ user, avatar: { src, foreign } }: UserHeaderProps) {
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
                <span className="wrap-anywhere">
                  @<SafeText>{user.handle}</SafeText>
                </span>
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

interface UserColumnsProps {
  /** Above the rest, or to its right where there is room for both. */
  side: ReactNode;
  main: ReactNode;
}

/** In the document in the order in which they are read: the Tab key follows that one. */
export function UserColumns({ side, main }: UserColumnsProps) {
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
    // Of three, the first and the last stand beside the second.
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

const yesNo = (value: boolean) => (value ? 'Yes' : 'No');

interface ProfileCardProps {
  user: User;
  /** The avatar, where it can be shown now. */
  src: string | undefined;
}

export function ProfileCard({ user, src }: ProfileCardProps) {
  const { handle, did } = user;
  const name = nameOf(user);
  return (
    <Card aria-labelledby="profile">
      <CardHeader title="Profile" titleId="profile" />
      <CardBody>
        <DescriptionList minColumn="100%" dense>
          <DescriptionItem inline label="Avatar">
            <Avatar src={src} name={name} />
          </DescriptionItem>
          <DescriptionItem inline label="Name">
            <SafeText className="wrap-anywhere">{name}</SafeText>
          </DescriptionItem>
          <DescriptionItem inline label="Handle">
            {handle === '' ? (
              NOTHING
            ) : (
              <span className="wrap-anywhere">
                @<SafeText>{handle}</SafeText>
              </span>
            )}
          </DescriptionItem>
          <DescriptionItem inline label="DID">
            {did === '' ? NOTHING : <Mono value={did} />}
          </DescriptionItem>
          <DescriptionItem inline label="Created">
            <Time value={user.created_at} />
          </DescriptionItem>
          <DescriptionItem inline label="Updated">
            <Time value={user.updated_at} />
          </DescriptionItem>
          <DescriptionItem inline label="Access Keyword">
            {yesNo(user.has_access_keyword_access)}
          </DescriptionItem>
          <DescriptionItem inline label="Active">
            {yesNo(user.is_active)}
          </DescriptionItem>
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

const PROFILE = [
  ['Avatar', '1.875rem'],
  ['Name', '9rem'],
  ['Handle', '10rem'],
  ['DID', '14rem'],
  ['Created', '9rem'],
  ['Updated', '9rem'],
  ['Access Keyword', '2rem'],
  ['Active', '2rem'],
] as const;
const BUTTONS = ['Active', 'Restricted', 'Suspended', 'Blocked'] as const;

function Button() {
  return <Skeleton height="var(--control-height)" className="rounded" />;
}

/** The page's boxes, before it is known what they hold. */
export function UserSkeleton() {
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
            <Card as="div">
              <CardHeader title="Profile" />
              <CardBody>
                <DescriptionList minColumn="100%" dense>
                  {PROFILE.map(([label, width]) => (
                    <DescriptionItem key={label} inline label={label}>
                      {label === 'Avatar' ? (
                        <Skeleton round width={width} height={width} />
                      ) : (
                        <Skeleton width={width} />
                      )}
                    </DescriptionItem>
                  ))}
                </DescriptionList>
              </CardBody>
            </Card>
            <Card as="div">
              <CardHeader title="User Management" description={<Skeleton width="12rem" />} />
              <CardBody className="flex flex-col gap-4">
                <div className="grid gap-2 @3xs:grid-cols-2">
                  {BUTTONS.map((status) => (
                    <Button key={status} />
                  ))}
                </div>
                <hr className="border-border" />
                <Button />
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
