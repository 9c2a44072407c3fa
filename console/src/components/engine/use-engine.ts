import { ENGINE_FEATURE, engineGet, type EngineState } from '@meridian/contract/engine';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useAnnounced } from '../../auth/use-announced.ts';

const POLL_MS = 10_000;

/** The state of the engine, kept fresh while the page is in sight; no call where it is not announced. */
export function useEngine(): UseQueryResult<EngineState> {
  const enabled = useAnnounced(ENGINE_FEATURE);
  return useEndpointQuery(engineGet, {}, { enabled, pollMs: POLL_MS });
}
