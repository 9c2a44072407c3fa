import type { ReactNode } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { SafeText } from '../ui/SafeText.tsx';

export interface UserCellProps {
  avatar: string | null | undefined;
  /** The first letter of this stands in for a missing picture. */
  initialOf: string;
  name: string;
  /** A second line, such as the DID. */
  detail?: ReactNode;
}

/** Somebody in a table: picture, name, and what identifies them for good. */
export function UserCell({ avatar, initialOf, name, detail }: UserCellProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar src={avatar} name={initialOf} />
      <div className="min-w-0 leading-tight">
        <div className="truncate font-medium">
          <SafeText>{name}</SafeText>
        </div>
        {detail !== undefined && <div className="truncate text-xs text-muted">{detail}</div>}
      </div>
    </div>
  );
}
