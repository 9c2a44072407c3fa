import type { Endpoint } from '@meridian/contract/endpoint';
import type { Params as RouteParams } from 'react-router';
import { expectAnnounced } from '../../api/announced.ts';
import type { QueryArgs } from '../../api/call.ts';
import type { PathParams, QueryValues } from '../../api/request-url.ts';
import { listQuery, type Params, readPage, readParams } from '../list/list-params.ts';

/** Where a screen is opened: what its address says. */
export interface Place {
  params: RouteParams;
  search: URLSearchParams;
}

interface ReadArgs {
  params?: PathParams;
  query?: QueryValues;
}

/** Where the arguments of a read come from. Plain data. */
interface Source {
  /** The one parameter in the address of the screen is the id. */
  readonly byId?: boolean;
  /** The same for every address. */
  readonly query?: QueryValues;
  /** Filters, sort and page stand in the search. */
  readonly list?: ListSource;
}

interface ListSource {
  readonly params: Params;
  readonly pageSize: number;
  /** Only a server that announces this has pages of the list; others answer all of it. */
  readonly feature?: string;
}

/** A call that a screen begins with. */
export interface Read extends Source {
  readonly endpoint: Endpoint;
}

/** The same without schemas: enough to send the call, not to read its answer. */
export interface PlainRead extends Source {
  readonly endpoint: Pick<Endpoint, 'name' | 'path'>;
}

export function read<E extends Endpoint>(endpoint: E, query: QueryArgs<E> = {}): Read {
  return { endpoint, query: { ...query } };
}

export function readById<E extends Endpoint>(endpoint: E, query: QueryArgs<E> = {}): Read {
  return { endpoint, byId: true, query: { ...query } };
}

export function readList(endpoint: Endpoint, params: Params, pageSize: number): Read {
  return { endpoint, list: { params, pageSize } };
}

/** Pages where the server announces this feature, all of the list elsewhere. */
export function readPages(
  feature: string,
  endpoint: Endpoint,
  params: Params,
  pageSize: number,
): Read {
  return { endpoint, list: { params, pageSize, feature } };
}

/**
 * The arguments with which the screen at this place will make the call. Null while they depend on
 * what the server announces and this browser does not know: the screen then asks by itself.
 */
export function argsOf(source: Source, { params, search }: Place): ReadArgs | null {
  const { byId = false, query, list } = source;
  const hasPages = list?.feature === undefined || expectAnnounced(list.feature);
  if (hasPages === undefined) return null;
  const [id = ''] = Object.values(params);
  const asked =
    list && hasPages
      ? listQuery(list.pageSize, readParams(list.params, search), readPage(search))
      : query;
  return { ...(byId && { params: { id } }), ...(asked && { query: asked }) };
}

export function plainRead({ endpoint: { name, path }, ...source }: Read): PlainRead {
  return { endpoint: { name, path }, ...source };
}
