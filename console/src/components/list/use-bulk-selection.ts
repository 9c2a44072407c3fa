import { BULK_FEATURE } from '@meridian/contract/requests';
import { expectAnnounced } from '../../api/announced.ts';
import { useAnnounced } from '../../auth/use-announced.ts';
import type { BulkList } from './bulk-list.ts';
import { type RowSelection, useRowSelection } from './use-row-selection.ts';

/**
 * The selection of a list, where the server changes many rows at once. Null keeps the room for it
 * until that is known; undefined where nothing can be selected.
 */
export function useBulkSelection<Row>(
  bulk: BulkList<Row> | undefined,
  view: string,
  keys: readonly string[],
): RowSelection<Row> | null | undefined {
  const announced = useAnnounced(BULK_FEATURE);
  const selection = useRowSelection(view, keys, bulk?.labelOf ?? noLabel);
  if (bulk === undefined) return undefined;
  if (announced === true) return selection;
  return (announced ?? expectAnnounced(BULK_FEATURE)) === false ? undefined : null;
}

const noLabel = () => '';
