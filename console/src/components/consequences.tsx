import { useState } from 'react';
import { consequenceGet, type ConsequenceOf } from '@meridian/contract/bulk';
import { call } from '@meridian/ui/api/call.ts';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { isMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';

/** Names those whom a change concerns, under its question; nothing where the server does not say. */
export function Consequence({ of, id }: { of: ConsequenceOf; id?: string | undefined }) {
  const enabled = useIsMeridian();
  const options = { enabled, staleTimeMs: 0 };
  const query = useEndpointQuery(consequenceGet, { query: { of, id } }, options);
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
 * For a button that changes without a question unless others are concerned: `ask` reads whom the
 * change concerns. The list is empty for nobody, and where the server does not say.
 */
export function useConcernedBy(of: ConsequenceOf) {
  const [isAsking, setAsking] = useState(false);
  async function ask(id: string): Promise<readonly string[]> {
    setAsking(true);
    try {
      return isMeridian() ? (await call(consequenceGet, { query: { of, id } })).sentences : [];
    } catch {
      return [];
    } finally {
      setAsking(false);
    }
  }
  return { isAsking, ask };
}
