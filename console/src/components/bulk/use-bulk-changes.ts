import { bulkIsRunning, bulkList } from '@meridian/contract/bulk';
import { BULK_FEATURE } from '@meridian/contract/requests';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useAnnounced } from '../../auth/use-announced.ts';

const RUNNING_MS = 1_000;
/** One that another administrator starts is seen after this at the latest. */
const QUIET_MS = 30_000;

/** The latest changes of many rows; no call where they are not announced. */
export function useBulkChanges() {
  const enabled = useAnnounced(BULK_FEATURE);
  return useEndpointQuery(
    bulkList,
    {},
    {
      enabled,
      isProgress: true,
      pollMs: (answer) => (answer?.changes.some(bulkIsRunning) === true ? RUNNING_MS : QUIET_MS),
    },
  );
}
