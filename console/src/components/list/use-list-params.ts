import { useEffect } from 'react';
import { type NavigateOptions, useLocation, useNavigate, useSearchParams } from 'react-router';
import {
  type PagePosition,
  type Params,
  type ParamValues,
  readParams,
  readPosition,
  writeParams,
} from './list-params.ts';

export interface ListParams<P extends Params> {
  /** Filters and sort, each with its fallback where the URL says nothing. */
  values: ParamValues<P>;
  /** The search of the address, as it is. */
  search: URLSearchParams;
  /** The page the URL asks for. */
  position: PagePosition;
  /** Something narrows the list: an empty one can be helped by clearing it. */
  isFiltered: boolean;
  /** Changes filters or sort and returns to page 1. Back undoes it. */
  set: (change: Partial<ParamValues<P>>) => void;
  /** Props of a FilterSelect. */
  choice: <Name extends keyof P & string>(
    name: Name,
  ) => { value: ParamValues<P>[Name]; onChange: (value: ParamValues<P>[Name]) => void };
  /** Props of a FilterText. */
  typed: (name: keyof P & string) => {
    value: string;
    maxLength: number | undefined;
    onChange: (value: string) => void;
  };
  /** Back to the whole list, in its usual order. */
  clear: () => void;
  /** Without a cursor: by the number of rows before it. */
  goToPage: (page: number) => void;
  /** For a link to a page of the list as it is now looked at. */
  searchOf: (position: PagePosition) => string;
}

/** As it is at this moment: a change that was waiting must not undo what was changed meanwhile. */
const searchNow = () => new URLSearchParams(window.location.search);

/**
 * @param filters the names among the parameters that narrow the list; all of them when left out
 */
export function useListParams<P extends Params>(
  params: P,
  filters: readonly (keyof P & string)[] = Object.keys(params),
): ListParams<P> {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const values = readParams(params, search);
  const position = readPosition(search);

  function go(next: URLSearchParams, options: NavigateOptions) {
    void navigate({ search: next.toString() }, options);
  }
  function change(wanted: Partial<ParamValues<P>>, replace: boolean) {
    // On the way back to another page: its address is no business of this list.
    if (window.location.pathname !== pathname) return;
    go(writeParams(params, searchNow(), wanted), { replace, preventScrollReset: true });
  }

  // A computed name is any name to the compiler.
  const only = (name: keyof P & string, value: string) =>
    ({ [name]: value }) as Partial<ParamValues<P>>;

  const asWritten = search.toString();
  const asRead = writeParams(params, search, values, position).toString();
  // The address is to say what the page shows, and only a navigation can change it.
  useEffect(() => {
    if (asRead === asWritten) return;
    void navigate({ search: asRead }, { replace: true, preventScrollReset: true });
  }, [asRead, asWritten, navigate]);

  return {
    values,
    search,
    position,
    isFiltered: filters.some((name) => values[name] !== params[name]?.fallback),
    set: (wanted) => change(wanted, false),
    choice: (name) => ({
      value: values[name],
      onChange: (value) => change(only(name, value), false),
    }),
    typed: (name) => ({
      value: values[name],
      maxLength: params[name]?.maxLength,
      onChange: (value) => change(only(name, value), true),
    }),
    clear: () => go(new URLSearchParams(), { preventScrollReset: true }),
    goToPage: (page) => go(writeParams(params, searchNow(), {}, { page }), { replace: true }),
    searchOf: (target) => `?${writeParams(params, search, {}, target)}`,
  };
}
