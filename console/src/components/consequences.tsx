import { useState } from 'react';
import { consequenceGet, type ConsequenceOf } from '@meridian/contract/bulk';
import { call } from '@meridian/ui/api/call.ts';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { isMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';

interface ConsequenceProps {
  of: ConsequenceOf;
  id?: string | undefined;
}

/** Whom the change concerns, under the question that asks for it; nothing where the server does not say. */
export function Consequence({ of, id }: ConsequenceProps) {
  const enabled = useIsMeridian();
  // The numbers are those of this moment.
  const query = useEndpointQuery(
    consequenceGet,
    { query: { of, id } },
    { enabled, staleTimeMs: 0 },
  );
  if (!enabled || query.isError) return null;
  return (
    // Its room is kept while it is empty, so that the buttons stay where they are.
    <div aria-live="polite" className="mt-2 min-h-[3em] text-text">
      {query.isFetching && <p className="text-muted">Counting...</p>}
      {!query.isFetching && query.data?.sentences.map((line) => <p key={line}>{line}</p>)}
    </div>
  );
}

/**
 * For a change that the specification makes without a question: the sentences of whom it concerns, to
 * ask first. Empty where it concerns nothing else, the server does not say, or does not respond.
 */
async function concernedBy(of: ConsequenceOf, id: string): Promise<readonly string[]> {
  if (!isMeridian()) return [];
  try {
    return (await call(consequenceGet, { query: { of, id } })).sentences;
  } catch {
    return [];
  }
}

/** The same for a button, which is at work meanwhile. */
export function useConcernedBy(of: ConsequenceOf) {
  const [isAsking, setAsking] = useState(false);
  async function ask(id: string): Promise<readonly string[]> {
    setAsking(true);
    const sentences = await concernedBy(of, id);
    setAsking(false);
    return sentences;
  }
  return { isAsking, ask };
}
