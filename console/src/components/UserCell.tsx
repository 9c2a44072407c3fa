import type { ReactNode } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { breakAtDots } from '../ui/break-at-dots.tsx';
import { SafeText } from '../ui/SafeText.tsx';
import { AppLink } from './navigation/AppLink.tsx';
import { trustedPicture } from './pictures/surroundings.ts';

export interface UserCellProps {
  avatar: string | null | undefined;
  /** The first letter of this stands in for a missing picture. */
  initialOf: string;
  name: string;
  /** Where the name leads, in lists of something else. */
  to?: string | undefined;
  /** A second line, such as the DID. */
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
