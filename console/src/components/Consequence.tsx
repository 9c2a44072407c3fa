import { type ConsequenceOf, consequenceGet } from '@meridian/contract/bulk';
import { useEndpointQuery } from '../api/use-endpoint-query.ts';
import { useIsMeridian } from '../auth/use-is-meridian.ts';

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
