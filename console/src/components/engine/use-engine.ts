import { ENGINE_FEATURE, engineGet } from '@meridian/contract/engine';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useAnnounced } from '../../auth/use-announced.ts';

const POLL_MS = 10_000;

/** The state of the engine, kept fresh while the page is in sight; no call where it is not announced. */
export function useEngine() {
  const enabled = useAnnounced(ENGINE_FEATURE);
  return useEndpointQuery(engineGet, {}, { enabled, pollMs: POLL_MS });
}
