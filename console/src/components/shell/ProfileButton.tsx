import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useAdmin } from '../../auth/use-session.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { SafeText } from '../../ui/SafeText.tsx';

/** Who is signed in. Pressed, it opens the profile menu. */
export function ProfileButton(props: ComponentProps<'button'>) {
  const admin = useAdmin();
  const username = admin?.username ?? '';
  const name = admin?.displayName || username;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      className="flex w-full min-w-0 items-center gap-2.5 rounded px-2.5 py-2 text-start transition-colors hover:bg-hover aria-expanded:bg-hover"
    >
      <Avatar name={name} />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block truncate text-base font-medium">
          <SafeText>{name}</SafeText>
        </span>
        <span className="block truncate text-xs text-muted">
          @<SafeText>{username}</SafeText>
        </span>
      </span>
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </button>
  );
}
