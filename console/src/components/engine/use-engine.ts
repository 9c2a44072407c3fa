import { engineGet } from '@meridian/contract/engine';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';

const POLL_MS = 10_000;

/** The state of the engine, kept fresh while the page is in sight; Meridian alone has one. */
export function useEngine() {
  const enabled = useIsMeridian();
  return useEndpointQuery(engineGet, {}, { enabled, pollMs: POLL_MS });
}
