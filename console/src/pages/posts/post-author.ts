import { type ListedPost, TRUNCATE } from '@meridian/contract/posts';
import { displayNameOf } from '../../components/user-name.ts';
import { isBlank } from '../../ui/hidden-characters.ts';
import { truncateGraphemes } from '../../ui/truncate-graphemes.ts';

type Authored = Pick<ListedPost, 'user' | 'user_id'>;

/** The ids of an author. A user who is gone has left the user id alone. */
export interface AuthorIds {
  /** The user id, as a path and a list need it. */
  id: string;
  /** Null where it is missing or shows nothing. */
  handle: string | null;
  did: string | null;
}

function known(text: string | undefined): string | null {
  return text === undefined || isBlank(text) ? null : text;
}

export function authorIdsOf({ user, user_id: userId }: Authored): AuthorIds {
  return {
    id: known(userId) ?? known(user?.id) ?? '',
    handle: known(user?.handle),
    did: known(user?.did),
  };
}

/** The one word for the author where there is room for no more: '@mika.example'. */
export function authorLabelOf(post: Authored): string {
  const { id, handle, did } = authorIdsOf(post);
  return handle === null ? (did ?? id) : `@${handle}`;
}

/** The name above the handle: the display name, or else the handle, the DID or the user id. */
export function authorNameOf(post: Authored): string {
  const { id, handle, did } = authorIdsOf(post);
  return (post.user && displayNameOf(post.user)) ?? handle ?? did ?? id;
}

/** The first line of a list's cell: the handle, or else the start of the DID or of the user id. */
export function authorTitleOf({ id, handle, did }: AuthorIds): string {
  if (handle !== null) return handle;
  return did === null
    ? truncateGraphemes(id, TRUNCATE.userId)
    : truncateGraphemes(did, TRUNCATE.did);
}
