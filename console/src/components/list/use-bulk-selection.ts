import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import type { BulkList } from './bulk-list.ts';
import { type RowSelection, useRowSelection } from './use-row-selection.ts';

/** The selection of a list; undefined where nothing can be selected. */
export function useBulkSelection<Row>(
  bulk: BulkList<Row> | undefined,
  view: string,
  keys: readonly string[],
): RowSelection<Row> | undefined {
  const isOffered = useIsMeridian();
  const selection = useRowSelection(view, keys, bulk?.labelOf ?? noLabel);
  return isOffered && bulk !== undefined ? selection : undefined;
}

const noLabel = () => '';
