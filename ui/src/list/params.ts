import { useEffect } from 'react';
import { type NavigateOptions, useLocation, useNavigate, useSearchParams } from 'react-router';
import { CURSOR_MAX_LENGTH } from '@meridian/contract/fields';

/*
 * The state of a list lives in the URL. A page describes its parameters once, at module scope:
 *   const PARAMS = { status: oneOf(USER_STATUS_FILTERS), userFilter: text(256) };
 * Anything may stand in the URL; reading it yields the fallback for what is not valid.
 */

/** Plain data, so that it can be written into the entry script as it is. */
interface Param<Value extends string> {
  readonly fallback: Value;
  readonly words?: readonly Value[];
  readonly maxLength?: number;
}

export type Params = Readonly<Record<string, Param<string>>>;
export type ParamValues<P extends Params> = {
  [Name in keyof P]: P[Name] extends Param<infer Value> ? Value : never;
};

/** One of a few words, or the empty one for 'all'. */
export function oneOf<const Value extends string>(values: readonly Value[]): Param<Value | ''>;
/** One of a few words, and the one that counts when the URL has none. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  fallback: Value,
): Param<Value>;
export function oneOf<const Value extends string>(
  values: readonly Value[],
  fallback: Value | '' = '',
): Param<Value | ''> {
  return { fallback, words: values };
}

export function text(maxLength: number): Param<string> {
  return { fallback: '', maxLength };
}

/** The length in code points, as the server counts; it refuses U+0000 in any text. */
function accepts({ words, maxLength = Infinity }: Param<string>, value: string): boolean {
  return words?.includes(value) ?? (Array.from(value).length <= maxLength && !value.includes('\0'));
}

const CURSOR = text(CURSOR_MAX_LENGTH);

/** Keeps the offset a number that the server accepts. */
const PAGE_MAX = 1_000_000;

/** Start of the page: the server's cursor, or an offset when there is none. */
export interface PagePosition {
  page: number;
  cursor?: string | undefined;
}

/** Anything but a page number in the URL means the first page, which needs no cursor. */
export function readPosition(search: URLSearchParams): PagePosition {
  const value = search.get('page') ?? '';
  const page = /^[1-9]\d{0,6}$/.test(value) ? Math.min(Number(value), PAGE_MAX) : 1;
  const cursor = search.get('cursor') ?? '';
  return page > 1 && cursor !== '' && accepts(CURSOR, cursor) ? { page, cursor } : { page };
}

export function readParams<P extends Params>(params: P, search: URLSearchParams): ParamValues<P> {
  const entries = Object.entries(params).map(([name, param]) => {
    const value = search.get(name);
    return [name, value !== null && accepts(param, value) ? value : param.fallback];
  });
  // Object.fromEntries forgets the names, which are those of the description.
  return Object.fromEntries(entries) as ParamValues<P>;
}

/** The query for a page of a list. Filters that are not set are not sent. */
export function listQuery<Values extends Readonly<Record<string, string>>>(
  pageSize: number,
  values: Values,
  { page, cursor }: PagePosition,
) {
  const set = Object.entries(values).filter(([, value]) => value !== '');
  return {
    limit: pageSize,
    offset: (page - 1) * pageSize,
    ...(cursor === undefined ? {} : { cursor }),
    ...(Object.fromEntries(set) as { [Name in keyof Values]?: Exclude<Values[Name], ''> }),
  };
}

/** The search with some values changed. Any change but of the page leads to page 1. */
export function writeParams<P extends Params>(
  params: P,
  search: URLSearchParams,
  change: Partial<ParamValues<P>>,
  { page, cursor }: PagePosition = { page: 1 },
): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries<string | undefined>(change)) {
    if (value === undefined || value === params[name]?.fallback) next.delete(name);
    else next.set(name, value);
  }
  if (page > 1) next.set('page', String(page));
  else next.delete('page');
  if (page > 1 && cursor !== undefined) next.set('cursor', cursor);
  else next.delete('cursor');
  return next;
}

export interface ListParams<P extends Params> {
  values: ParamValues<P>;
  search: URLSearchParams;
  position: PagePosition;
  isFiltered: boolean;
  set: (change: Partial<ParamValues<P>>) => void;
  choice: <Name extends keyof P & string>(
    name: Name,
  ) => { value: ParamValues<P>[Name]; onChange: (value: ParamValues<P>[Name]) => void };
  typed: (name: keyof P & string) => {
    value: string;
    maxLength: number | undefined;
    onChange: (value: string) => void;
  };
  clear: () => void;
  goToPage: (page: number) => void;
  searchOf: (position: PagePosition) => string;
}

/** A change that was waiting must not undo what was changed in the address meanwhile. */
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

  const go = (next: URLSearchParams, options: NavigateOptions) =>
    void navigate({ search: next.toString() }, options);
  function change(wanted: Partial<ParamValues<P>>, replace: boolean) {
    // On the way back to another page the address is no longer that of this list.
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
