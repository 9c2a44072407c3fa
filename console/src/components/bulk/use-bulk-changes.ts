import { bulkIsRunning, bulkList } from '@meridian/contract/bulk';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';

const RUNNING_MS = 1_000;
/** One that another administrator starts is seen after this at the latest. */
const QUIET_MS = 30_000;

/** The latest changes of many rows; Meridian alone has them. */
export function useBulkChanges() {
  const enabled = useIsMeridian();
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
