import { CURSOR_MAX_LENGTH } from '@meridian/contract/fields';

/*
 * The state of a list lives in the URL. A page describes its parameters once, at module scope:
 *   const PARAMS = { status: oneOf(USER_STATUS_FILTERS), userFilter: text(256) };
 * What stands in the URL may be anything; reading it yields the fallback for what is not valid.
 */

/** Plain data, so that it can be written into the entry script as it is. */
export interface Param<Value extends string> {
  readonly fallback: Value;
  /** Nothing but these; undefined for free text. */
  readonly words?: readonly Value[];
  readonly maxLength?: number;
}

export type Params = Readonly<Record<string, Param<string>>>;
export type ParamValues<P extends Params> = {
  [Name in keyof P]: P[Name] extends Param<infer Value> ? Value : never;
};

/** One of a few words, or the empty one for 'all'. */
export function oneOf<const Value extends string>(values: readonly Value[]): Param<Value | ''>;
/** One of a few words, and which when nothing is said. */
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

/** Free text of a bounded length. */
export function text(maxLength: number): Param<string> {
  return { fallback: '', maxLength };
}

/** The length in code points, as the server counts; it refuses U+0000 in any text. */
function accepts({ words, maxLength = Infinity }: Param<string>, value: string): boolean {
  return words?.includes(value) ?? (Array.from(value).length <= maxLength && !value.includes('\0'));
}

const CURSOR = text(CURSOR_MAX_LENGTH);

/** Past this no list of ours has pages; it keeps the offset a number the server accepts. */
const PAGE_MAX = 1_000_000;

/** Where a page begins: beside a row of its neighbour, where the server gave a cursor for that. */
export interface PagePosition {
  /** Counted from 1. */
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

/** What is asked of the server for a page of a list. Filters that are not set are not sent. */
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
    // Object.fromEntries forgets the names.
    ...(Object.fromEntries(set) as { [Name in keyof Values]?: Exclude<Values[Name], ''> }),
  };
}

/** The search of the same list otherwise looked at. Any change but of the page leads to page 1. */
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
