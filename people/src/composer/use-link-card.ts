import { useEffect, useEffectEvent, useState } from 'react';
import { sentenceOf } from '../api/call.ts';
import { calls } from '../api/calls.ts';
import { type DraftCard, type DraftPart, firstLink } from './draft.ts';
import { notePreview } from './open-previews.ts';

/** Long enough to finish an address that is being typed. */
const PAUSE_MS = 700;

type Failure = { link: string; sentence: string };

/**
 * Loads the preview of the first link of a text. Returns why there is none, if it was tried. What
 * comes only after the text was sent is not used: it would be a change of the post.
 */
export function useLinkCard(part: DraftPart, isSent: boolean, onCard: (card: DraftCard) => void) {
  const [failure, setFailure] = useState<Failure>();
  const link = firstLink(part.text);
  const isWanted =
    link !== null &&
    !isSent &&
    part.card === null &&
    part.pictures.length === 0 &&
    part.withoutCard !== link &&
    failure?.link !== link;
  const deliver = useEffectEvent(onCard);

  // Typing goes on meanwhile: only a link that stands for a moment is looked up.
  useEffect(() => {
    if (!isWanted) return undefined;
    const stop = new AbortController();
    const { promise, resolve: end } = Promise.withResolvers<void>();
    notePreview(promise);
    const timer = setTimeout(() => {
      void calls
        .meLinkCard({ body: { uri: link }, signal: stop.signal })
        .then(
          ({ card }) => deliver(card),
          (error: unknown) => {
            if (!stop.signal.aborted) setFailure({ link, sentence: sentenceOf(error) });
          },
        )
        .finally(end);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
      end();
    };
  }, [link, isWanted]);

  // The connection is the browser's; with it back, there may be a preview.
  useEffect(() => {
    const forget = () => setFailure(undefined);
    window.addEventListener('online', forget);
    return () => window.removeEventListener('online', forget);
  }, []);

  return failure !== undefined && failure.link === link ? failure.sentence : undefined;
}
