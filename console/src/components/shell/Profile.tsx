import { lazy, Suspense, useState } from 'react';
import { ProfileButton } from './ProfileButton.tsx';

const load = () => import('./ProfileMenu.tsx');
// The menu weighs more than any page and is opened once a day: it comes when asked for.
const ProfileMenu = lazy(async () => ({ default: (await load()).ProfileMenu }));

function prefetch() {
  load().catch(() => {
    // Pressing the button tries again, and says so if that fails too.
  });
}

/** The code of the menu is fetched as the pointer or the focus comes near its button. */
export function Profile({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const [isWanted, setWanted] = useState(false);
  const button = (
    <ProfileButton onPointerEnter={prefetch} onFocus={prefetch} onClick={() => setWanted(true)} />
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <ProfileMenu onNavigate={onNavigate} />
    </Suspense>
  );
}
