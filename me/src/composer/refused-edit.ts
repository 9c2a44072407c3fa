import { ApiError } from '@meridian/ui/api/errors.ts';
import { calls } from '../api/calls.ts';
import type { DraftStore } from './draft-store.ts';
import type { Draft } from './draft.ts';

/** Of a post that is deleted, or no longer waits. */
const GONE = new Set<string | undefined>(['post_not_found', 'post_not_editable']);

type Editing = NonNullable<Draft['editing']>;

/** Why a change of a post was refused, and the way on, which the draft is made ready for. */
export async function refusalOfEdit(
  store: DraftStore,
  editing: Editing,
  error: ApiError,
): Promise<ApiError> {
  if (GONE.has(error.code)) {
    store.rebase(editing.id, null);
    return new ApiError({
      status: 409,
      message: `${error.message}. Schedule your text as a new post, or discard it.`,
    });
  }
  if (error.code !== 'post_changed_elsewhere') return error;
  const { post } = await calls.mePostGet({ params: { id: editing.id } });
  store.rebase(post.id, post.version);
  return new ApiError({
    status: 412,
    message:
      'This post was changed elsewhere meanwhile. Save again to replace it with this text, or discard your changes.',
  });
}
