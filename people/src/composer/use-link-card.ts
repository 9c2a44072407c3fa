import { useEffect, useEffectEvent, useState } from 'react';
import { sentenceOf } from '../api/call.ts';
import { calls } from '../api/calls.ts';
import { type DraftCard, type DraftPart, firstLink } from './draft.ts';

/** Long enough to finish an address that is being typed. */
const PAUSE_MS = 700;

type Failure = { link: string; sentence: string };

/** Loads the preview of the first link of a text. Returns why there is none, if it was tried. */
export function useLinkCard(part: DraftPart, onCard: (card: DraftCard) => void) {
  const [failure, setFailure] = useState<Failure>();
  const link = firstLink(part.text);
  const isWanted =
    link !== null &&
    part.card === null &&
    part.pictures.length === 0 &&
    part.withoutCard !== link &&
    failure?.link !== link;
  const deliver = useEffectEvent(onCard);

  // Typing goes on meanwhile: only a link that stands for a moment is looked up.
  useEffect(() => {
    if (!isWanted) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      calls.meLinkCard({ body: { uri: link }, signal: stop.signal }).then(
        ({ card }) => deliver(card),
        (error: unknown) => {
          if (!stop.signal.aborted) setFailure({ link, sentence: sentenceOf(error) });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [link, isWanted]);

  return failure !== undefined && failure.link === link ? failure.sentence : undefined;
}
