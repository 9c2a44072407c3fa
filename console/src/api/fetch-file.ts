import type { Endpoint } from '@meridian/contract/endpoint';
import { errorOfResponse } from './read-error.ts';
import { type PathParams, type QueryValues, requestUrl } from './request-url.ts';
import { headersWith, send } from './send.ts';
import { getToken } from './token-store.ts';
import { reportUnauthorized } from './unauthorized.ts';

interface FileRequest {
  params?: PathParams;
  query?: QueryValues;
  accept: string;
  signal?: AbortSignal;
  /** It may arrive for minutes: nothing but the signal ends it. */
  isLong?: boolean;
}

/** A response that is no JSON. Throws an ApiError for everything but success. */
export async function fetchFile(endpoint: Endpoint, request: FileRequest): Promise<Response> {
  const { params, query, accept, signal, isLong } = request;
  const token = getToken();
  const init = { method: endpoint.method, headers: headersWith(token, { Accept: accept }) };
  const response = await send(requestUrl(endpoint, params, query), init, signal, isLong);
  if (response.ok) return response;
  const error = await errorOfResponse(response);
  if (error.status === 401) reportUnauthorized(token);
  throw error;
}

/** Hands a file to the browser, which saves it. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken the blob over by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
