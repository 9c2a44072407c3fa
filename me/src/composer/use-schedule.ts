import { useEffect, useEffectEvent, useState } from 'react';
import type { MePost } from '@meridian/contract/me/posts';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { formatDateTime } from '@meridian/ui/format.ts';
import { showToast } from '@meridian/ui/toasts.tsx';
import { calls, sentenceOf } from '../api/calls.ts';
import { useAction } from '../api/use-action.ts';
import { keepWriting } from '../parts.tsx';
import type { DraftStore, SentDraft } from './draft-store.ts';
import {
  bodyOf,
  type Draft,
  type DraftPart,
  type Limits,
  linkWithoutCard,
  problemOf,
} from './draft.ts';
import { newKey } from '@meridian/ui/api/outcome.ts';

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

/** Long enough to finish an address that is being typed. */
const PAUSE_MS = 700;

/** Longer than most pages take, and no longer than a post should wait for them. */
const MOST_MS = 4_000;

/** A post that is scheduled before its previews have come goes out with them, unless they are slow. */
function withCards(parts: readonly DraftPart[]): Promise<DraftPart[]> {
  const signal = AbortSignal.timeout(MOST_MS);
  return Promise.all(
    parts.map(async (part) => {
      const uri = linkWithoutCard(part);
      if (uri === null) return part;
      const found = await calls.meLinkCard({ body: { uri }, signal }).catch(() => null);
      return { ...part, card: found?.card ?? null };
    }),
  );
}

type Failure = { link: string; sentence: string };

/**
 * Loads the preview of the first link of a text. Returns why there is none, if it was tried. What
 * comes only after the text was sent is not used: it would be a change of the post.
 */
export function useLinkCard(
  part: DraftPart,
  isSent: boolean,
  onChange: (next: (part: DraftPart) => DraftPart) => void,
) {
  const [failure, setFailure] = useState<Failure>();
  const wanted = linkWithoutCard(part);
  const link = isSent || failure?.link === wanted ? null : wanted;
  const change = useEffectEvent(onChange);

  // Typing goes on meanwhile: only a link that stands for a moment is looked up.
  useEffect(() => {
    if (link === null) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void calls.meLinkCard({ body: { uri: link }, signal: stop.signal }).then(
        // The text may be another by now.
        ({ card }) => change((now) => (linkWithoutCard(now) === link ? { ...now, card } : now)),
        (error: unknown) => {
          if (!stop.signal.aborted) setFailure({ link, sentence: sentenceOf(error) });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [link]);

  // The connection is the browser's; with it back, there may be a preview.
  useEffect(() => {
    const forget = () => setFailure(undefined);
    window.addEventListener('online', forget);
    return () => window.removeEventListener('online', forget);
  }, []);

  return failure !== undefined && failure.link === wanted ? failure.sentence : undefined;
}
