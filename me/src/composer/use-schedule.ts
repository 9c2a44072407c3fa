import { useEffect, useEffectEvent, useState } from 'react';
import type { MePost } from '@meridian/contract/me/posts';
import { call } from '@meridian/ui/api/call.ts';
import { ApiError } from '@meridian/ui/api/errors.ts';
import { newKey } from '@meridian/ui/api/outcome.ts';
import { formatDateTime } from '@meridian/ui/format.ts';
import { showToast } from '@meridian/ui/toasts.ts';
import { sentenceOf, useAction, useWhenOnline } from '../api/actions.ts';
import { meLinkCard, mePostCreate, mePostGet, mePostUpdate } from '../api/calls.ts';
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

type Scheduling = {
  store: DraftStore;
  limits: Limits;
  nextFree: number;
  onScheduled: (post: MePost) => void;
};

/** A draft that was refused would be another request when it is sent again. */
function isRefused(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.code !== 'request_in_progress'
  );
}

/** Sends the draft. `otherProblem` tells what the draft itself does not know. */
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
      // The same request is sent again with the previews that it had.
      if (before === null) {
        sent = store.markSent({ ...sent, parts: await withCards(sent.parts) }, sent.sent);
      }
      const { post } = await send(sent).catch((error: unknown) => {
        if (before === null || at !== null || !isRefused(error)) throw error;
        // The draft never arrived, and its slot is over by now: the next free one is another.
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
      throw await refusalOfEdit(store, editing, error);
    }
  });
}

const OTHER_SHOWN = 'The post before this one was not scheduled, and comes back after it.';

function send(draft: SentDraft) {
  const { sent, editing } = draft;
  const body = bodyOf(draft, sent.at);
  return editing === null
    ? call(mePostCreate, { body, headers: { 'idempotency-key': sent.key } })
    : call(mePostUpdate, {
        params: { id: editing.id },
        body,
        headers: { 'if-match': `"v${editing.version}"` },
      });
}

/** These codes tell that the post is deleted, or no longer waits. */
const GONE = new Set<string | undefined>(['post_not_found', 'post_not_editable']);

type Editing = NonNullable<Draft['editing']>;

/** The refusal of a change of a post, with the way on, which the draft is made ready for. */
async function refusalOfEdit(
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
  const { post } = await call(mePostGet, { params: { id: editing.id } });
  store.rebase(post.id, post.version);
  return new ApiError({
    status: 412,
    message:
      'This post was changed elsewhere meanwhile. Save again to replace it with this text, or discard your changes.',
  });
}

/** An address that is being typed is finished by then. */
const PAUSE_MS = 700;

/** Most previews come sooner, and a post should not wait longer for one. */
const MOST_MS = 4_000;

/** A post that is scheduled before its previews have come goes out with them, unless they are slow. */
function withCards(parts: readonly DraftPart[]): Promise<DraftPart[]> {
  const signal = AbortSignal.timeout(MOST_MS);
  return Promise.all(
    parts.map(async (part) => {
      const uri = linkWithoutCard(part);
      if (uri === null) return part;
      const found = await call(meLinkCard, { body: { uri } }, { signal }).catch(() => null);
      return { ...part, card: found?.card ?? null };
    }),
  );
}

type Failure = { link: string; sentence: string };

/**
 * Loads the preview of the first link of a text. Returns the sentence of a failure. A preview that comes
 * after the text was sent is not used: it would be a change of the post.
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
      void call(meLinkCard, { body: { uri: link } }, { signal: stop.signal }).then(
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

  useWhenOnline(() => setFailure(undefined));

  return failure !== undefined && failure.link === wanted ? failure.sentence : undefined;
}
