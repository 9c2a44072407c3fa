import type { Endpoint } from '@meridian/contract/endpoint';
import { ApiError } from './api-error.ts';
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
  const { params, query, accept, signal, isLong = false } = request;
  const token = getToken();
  const init = { method: endpoint.method, headers: headersWith(token, { Accept: accept }) };
  const url = requestUrl(endpoint, params, query);
  const response = isLong
    ? await sendLong(url, { ...init, ...(signal && { signal }) })
    : await send(url, init, signal);
  if (response.ok) return response;
  const error = await errorOfResponse(response);
  if (error.status === 401) reportUnauthorized(token);
  throw error;
}

async function sendLong(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'omit', cache: 'no-store', ...init });
  } catch (cause) {
    throw new ApiError({ status: 0, message: '' }, cause);
  }
}

/** Hands a file to the browser, which saves it. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken the blob over by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
