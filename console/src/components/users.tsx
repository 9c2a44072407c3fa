import type { ReactNode } from 'react';
import { TRUNCATE } from '@meridian/contract/posts';
import { breakAtDots, SafeText, truncateGraphemes, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { AppLink } from '@meridian/ui/links.tsx';
import { Avatar, trustedPicture } from '@meridian/ui/pictures.tsx';

interface UserCellProps {
  avatar: string | null | undefined;
  initialOf: string;
  name: string;
  to?: string | undefined;
  detail?: ReactNode;
}

/** A user in a table: picture, name, and the identifier that never changes. */
export function UserCell({ avatar, initialOf, name, to, detail }: UserCellProps) {
  const words = (
    <SafeText draw={breakAtDots} className="truncate">
      {name}
    </SafeText>
  );
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={trustedPicture(avatar)} name={initialOf} />
      <div className="min-w-0 leading-tight font-medium">
        {to === undefined ? (
          <div className="flex items-baseline">{words}</div>
        ) : (
          // Only the words are cut: a box around the link would cut its focus ring too.
          <AppLink
            to={to}
            className="-my-1 flex items-baseline rounded-sm py-1 hover:text-accent-text hover:underline"
          >
            {words}
          </AppLink>
        )}
        {detail !== undefined && (
          <div className="mt-1 flex text-xs font-normal text-muted">{detail}</div>
        )}
      </div>
    </div>
  );
}

export interface PersonNameProps {
  displayName: string | null;
  handle: string;
}

/** A user in a sentence: display name and handle, as neither alone is certain. */
export function PersonName({ displayName, handle }: PersonNameProps) {
  const at = <SafeText>{`@${handle}`}</SafeText>;
  if (!displayName) return <strong className="font-medium text-text">{at}</strong>;
  return (
    <>
      <strong className="font-medium text-text">
        <SafeText>{displayName}</SafeText>
      </strong>
      {handle !== '' && <> ({at})</>}
    </>
  );
}

interface Named {
  id: string;
  did: string;
  display_name: string | null;
  handle: string;
}

export function displayNameOf({ display_name: name }: Pick<Named, 'display_name'>): string | null {
  return name !== null && withoutHidden(name).trim() !== '' ? name : null;
}

/** The display name of a user, or else the handle, the DID or the start of the id. */
export function nameOf(user: Named): string {
  const { id, did, handle } = user;
  return displayNameOf(user) ?? (handle || did || truncateGraphemes(id, TRUNCATE.userId));
}

/** The same for a sentence. Without a handle the name stands alone. */
export function personOf(user: Named): { displayName: string | null; handle: string } {
  const { handle } = user;
  return { displayName: handle === '' ? nameOf(user) : displayNameOf(user), handle };
}
