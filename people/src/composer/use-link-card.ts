import { useEffect, useEffectEvent, useState } from 'react';
import { sentenceOf } from '../api/call.ts';
import { calls } from '../api/calls.ts';
import { type DraftPart, linkWithoutCard } from './draft.ts';

/** Long enough to finish an address that is being typed. */
const PAUSE_MS = 700;

/** Longer than most pages take, and no longer than a post should wait for them. */
const MOST_MS = 4_000;

/** A post that is scheduled before its previews have come goes out with them, unless they are slow. */
export function withCards(parts: readonly DraftPart[]): Promise<DraftPart[]> {
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
