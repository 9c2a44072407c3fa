import type { User } from '@meridian/contract/users';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { ForeignAvatarNote } from '../../components/pictures/ForeignAvatarNote.tsx';
import { usePicture } from '../../components/pictures/use-picture.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { nameOf } from '../../components/user-name.ts';
import { paths } from '../../paths.ts';
import { withoutHidden } from '../../ui/hidden-characters.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';

export function UserHeader({ user }: { user: User }) {
  const name = nameOf(user);
  const { src, foreign } = usePicture(user.avatar);
  return (
    <PageTitle
      back={<BackLink to={paths.users}>Back to Users</BackLink>}
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
                <span aria-hidden="true" className="max-sm:hidden">
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
      actions={user.status !== '' && <StatusBadge status={user.status} />}
    />
  );
}
