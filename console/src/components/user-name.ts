import { withoutHidden } from '../ui/hidden-characters.ts';

interface Named {
  display_name: string | null;
  handle: string;
}

/** The display name; null when there is none with a visible character. */
export function displayNameOf({ display_name: name }: Pick<Named, 'display_name'>): string | null {
  return name !== null && withoutHidden(name).trim() !== '' ? name : null;
}

/** What to call a user: the display name, or else the handle. */
export function nameOf(user: Named): string {
  return displayNameOf(user) ?? user.handle;
}
