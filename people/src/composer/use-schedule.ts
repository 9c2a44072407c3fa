import type { MePost } from '@meridian/contract/me/posts';
import { ApiError } from '../../../console/src/api/api-error.ts';
import { newKey } from '../../../console/src/api/idempotency-key.ts';
import { formatDateTime } from '../../../console/src/ui/format-time.ts';
import { showToast } from '../../../console/src/ui/toast-store.ts';
import { sentenceOf } from '../api/call.ts';
import { calls } from '../api/calls.ts';
import { useAction } from '../api/use-action.ts';
import type { Limits } from '../limits.ts';
import { bodyOf, type Draft } from './draft.ts';
import { problemOf } from './draft-problem.ts';
import type { DraftStore, SentDraft } from './draft-store.ts';
import { keepWriting } from './focus-composer.ts';
import { withCards } from './use-link-card.ts';

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

/** Sends the draft. `otherProblem` is asked for what the draft itself does not know. */
export function useSchedule(
  { store, limits, nextFree, onScheduled }: Scheduling,
  otherProblem: () => string | undefined,
) {
  function requireReady(): Draft {
    const draft = store.get();
    const problem = problemOf(draft, limits)?.sentence ?? otherProblem();
    if (problem !== undefined) throw new ApiError({ status: 400, message: problem });
    return draft;
  }
  return useAction(async () => {
    const draft = requireReady();
    const { sent: before, at, editing } = draft;
    const anew = () => ({ key: newKey(), at: at ?? new Date(nextFree).toISOString() });
    let sent = keepWriting(() => store.markSent(draft, before ?? anew()));
    try {
      // Sent again, it is the same request: with the previews that it had.
      if (before === null) {
        sent = store.markSent({ ...sent, parts: await withCards(sent.parts) }, sent.sent);
      }
      const { post } = await send(sent).catch((error: unknown) => {
        if (before === null || at !== null || !isRefused(error)) throw error;
        // It never arrived, and its slot is over by now: the next free one is another.
        sent = store.markSent(sent, anew());
        return send(sent);
      });
      keepWriting(() => store.settle(sent, post));
      const when = formatDateTime(new Date(post.scheduledAt));
      showToast({ message: editing === null ? `Scheduled for ${when}` : 'Changes saved' });
      onScheduled(post);
    } catch (error) {
      keepWriting(() => store.giveBack(sent, isRefused(error)));
      if (store.get().parts[0]?.id !== sent.parts[0]?.id) {
        throw new ApiError({ status: 400, message: `${OTHER_SHOWN} ${sentenceOf(error)}` });
      }
      if (editing === null || !isRefused(error)) throw error;
      // Loaded with the first refusal.
      const { refusalOfEdit } = await import('./refused-edit.ts');
      throw await refusalOfEdit(store, editing, error);
    }
  });
}

const OTHER_SHOWN = 'The post before this one was not scheduled, and comes back after it.';

function send(draft: SentDraft) {
  const { sent, editing } = draft;
  const body = bodyOf(draft, sent.at);
  return editing === null
    ? calls.mePostCreate({ body, headers: { 'idempotency-key': sent.key } })
    : calls.mePostUpdate({
        params: { id: editing.id },
        body,
        headers: { 'if-match': `"v${editing.version}"` },
      });
}
