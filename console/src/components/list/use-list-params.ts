import { useSearchParams } from 'react-router';
import { type Params, type ParamValues, readPage, readParams, writeParams } from './list-params.ts';

export interface ListParams<P extends Params> {
  /** Filters and sort, each with its fallback where the URL says nothing. */
  values: ParamValues<P>;
  /** Counted from 1. */
  page: number;
  /** Something narrows the list: an empty one can be helped by clearing it. */
  isFiltered: boolean;
  /** Changes filters or sort and returns to page 1. */
  set: (change: Partial<ParamValues<P>>) => void;
  /** Back to the whole list, in its usual order. */
  clear: () => void;
  goToPage: (page: number) => void;
  /** For a link to a page of the list as it is now looked at. */
  searchOfPage: (page: number) => string;
}

/**
 * @param filters the names among the parameters that narrow the list; all of them when left out
 */
export function useListParams<P extends Params>(
  params: P,
  filters: readonly (keyof P & string)[] = Object.keys(params),
): ListParams<P> {
  const [search, setSearch] = useSearchParams();
  const values = readParams(params, search);
  // Replaced, not pushed: Back should leave the list, not undo a filter letter by letter.
  const options = { replace: true, preventScrollReset: true };
  return {
    values,
    page: readPage(search),
    isFiltered: filters.some((name) => values[name] !== params[name]?.fallback),
    set: (change) => setSearch((current) => writeParams(params, current, change), options),
    clear: () => setSearch({}, options),
    goToPage: (page) =>
      setSearch((current) => writeParams(params, current, {}, page), { replace: true }),
    searchOfPage: (page) => `?${writeParams(params, search, {}, page)}`,
  };
}
