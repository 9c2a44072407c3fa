import { type User, userList } from '@meridian/contract/users';
import { isMeridian } from '../../api/service.ts';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { NeighbourLinks, type NeighbourList } from '../../components/navigation/NeighbourLinks.tsx';
import { ForeignAvatarNote } from '../../components/pictures/ForeignAvatarNote.tsx';
import type { ShownPicture } from '../../components/pictures/use-picture.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { nameOf } from '../../components/user-name.ts';
import { paths } from '../../paths.ts';
import { withoutHidden } from '../../ui/hidden-characters.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { usersPageAt } from './users-params.ts';

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
