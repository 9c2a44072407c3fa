import { TRUNCATE } from '@meridian/contract/posts';
import { withoutHidden } from '../ui/hidden-characters.ts';
import { truncateGraphemes } from '../ui/truncate-graphemes.ts';

interface Named {
  id: string;
  did: string;
  display_name: string | null;
  handle: string;
}

/** The display name; null when there is none with a visible character. */
export function displayNameOf({ display_name: name }: Pick<Named, 'display_name'>): string | null {
  return name !== null && withoutHidden(name).trim() !== '' ? name : null;
}

/** What to call a user: the display name, or else the handle, the DID or the start of the id. */
export function nameOf(user: Named): string {
  const { id, did, handle } = user;
  return displayNameOf(user) ?? (handle || did || truncateGraphemes(id, TRUNCATE.userId));
}

/** The same for a sentence. Without a handle the name stands alone. */
export function personOf(user: Named): { displayName: string | null; handle: string } {
  const { handle } = user;
  return { displayName: handle === '' ? nameOf(user) : displayNameOf(user), handle };
}
