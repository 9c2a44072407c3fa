import type { MePost } from '@meridian/contract/me/posts';
import { ApiError } from '../../../console/src/api/api-error.ts';
import { newKey } from '../../../console/src/api/idempotency-key.ts';
import { formatDateTime } from '../../../console/src/ui/format-time.ts';
import { showToast } from '../../../console/src/ui/toast-store.ts';
import { calls } from '../api/calls.ts';
import { useAction } from '../api/use-action.ts';
import type { Limits } from '../limits.ts';
import { bodyOf, type Draft, postOf } from './draft.ts';
import { problemOf } from './draft-problem.ts';
import type { DraftStore, SentDraft } from './draft-store.ts';
import { keepWriting } from './focus-composer.ts';
import { previewsSettled } from './open-previews.ts';

type Scheduling = {
  store: DraftStore;
  limits: Limits;
  nextFree: number;
  onScheduled: (post: MePost) => void;
};

/** Refused for what it is: sent again it would be another request. */
function isRefused(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.code !== 'request_in_progress'
  );
}

const OTHER_SHOWN = 'Another post is shown by now. The one before was not scheduled.';

/** Sends the draft. `otherProblem` is asked for what the draft itself does not know. */
export function useSchedule(
  { store, limits, nextFree, onScheduled }: Scheduling,
  otherProblem: () => string | undefined,
) {
  function requireReady(firstProblem?: (draft: Draft) => string | undefined): Draft {
    const draft = store.get();
    const problem = firstProblem?.(draft) ?? problemOf(draft, limits)?.sentence ?? otherProblem();
    if (problem !== undefined) throw new ApiError({ status: 400, message: problem });
    return draft;
  }
  return useAction(async () => {
    const { parts } = requireReady();
    await previewsSettled();
    // The person may have gone on meanwhile.
    const draft = requireReady((now) =>
      now.parts.some(({ id }) => parts.some((part) => part.id === id)) ? undefined : OTHER_SHOWN,
    );
    const { sent, at } = draft;
    const attempt = (again: SentDraft['sent'] | null) =>
      send(
        store,
        store.markSent(again ?? { key: newKey(), at: at ?? new Date(nextFree).toISOString() }),
      );
    const { post } = await attempt(sent).catch((error: unknown) => {
      // It never arrived, and its slot is over by now: the next free one is another.
      if (sent !== null && at === null && isRefused(error)) return attempt(null);
      throw error;
    });
    const when = formatDateTime(new Date(post.scheduledAt));
    showToast({ message: postOf(draft) === null ? `Scheduled for ${when}` : 'Changes saved' });
    onScheduled(post);
  });
}

async function send(store: DraftStore, draft: SentDraft) {
  const { sent } = draft;
  const editing = postOf(draft);
  const body = bodyOf(draft, sent.at);
  try {
    const response = await (editing === null
      ? calls.mePostCreate({ body, headers: { 'idempotency-key': sent.key } })
      : calls.mePostUpdate({
          params: { id: editing.id },
          body,
          headers: { 'if-match': `"v${editing.version}"` },
        }));
    keepWriting(() => store.settle(draft, response.post));
    return response;
  } catch (error) {
    if (!isRefused(error)) throw error;
    store.change((same) => same);
    if (editing === null) throw error;
    // Loaded with the first refusal.
    const { refusalOfEdit } = await import('./refused-edit.ts');
    throw await refusalOfEdit(store, editing, error);
  }
}
