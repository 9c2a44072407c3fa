import { PICTURE_TYPES, pictureLoad } from '@meridian/contract/pictures';
import { ApiError } from './api-error.ts';
import { errorOfResponse } from './read-error.ts';
import { requestUrl } from './request-url.ts';
import { headersWith, send } from './send.ts';
import { getToken } from './token-store.ts';
import { reportUnauthorized } from './unauthorized.ts';

const TYPES: readonly string[] = PICTURE_TYPES;

/** A picture of another host, fetched by the server. Throws an ApiError for everything else. */
export async function loadPicture(url: string, signal: AbortSignal): Promise<Blob> {
  const token = getToken();
  const response = await send(
    requestUrl(pictureLoad, {}, { url }),
    { method: pictureLoad.method, headers: headersWith(token, { Accept: TYPES.join(', ') }) },
    signal,
  );
  if (!response.ok) {
    const error = await errorOfResponse(response);
    if (error.status === 401) reportUnauthorized(token);
    throw error;
  }
  const blob = await response.blob();
  // A blob has this page's origin: one that a browser takes for a document must never become one.
  if (!TYPES.includes(blob.type)) throw new ApiError({ status: response.status, message: '' });
  return blob;
}
