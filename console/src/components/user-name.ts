import { withoutHidden } from '../ui/hidden-characters.ts';

interface Named {
  display_name: string | null;
  handle: string;
}

/** The display name; null when there is none that anybody could see. */
export function displayNameOf({ display_name: name }: Pick<Named, 'display_name'>): string | null {
  return name !== null && withoutHidden(name).trim() !== '' ? name : null;
}

/** What to call somebody: by the display name, or else by the handle. */
export function nameOf(user: Named): string {
  return displayNameOf(user) ?? user.handle;
}
