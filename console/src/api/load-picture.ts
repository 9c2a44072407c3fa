import { PICTURE_TYPES, pictureLoad } from '@meridian/contract/pictures';
import { ApiError } from './api-error.ts';
import { fetchFile } from './fetch-file.ts';

const TYPES: readonly string[] = PICTURE_TYPES;

/** A picture of another host, fetched by the server. Throws an ApiError for everything else. */
export async function loadPicture(url: string, signal: AbortSignal): Promise<Blob> {
  const request = { query: { url }, accept: TYPES.join(', '), signal };
  const response = await fetchFile(pictureLoad, request);
  const blob = await response.blob();
  // A blob has this page's origin: one that a browser takes for a document must never become one.
  if (!TYPES.includes(blob.type)) throw new ApiError({ status: response.status, message: '' });
  return blob;
}
