import type { Endpoint } from '@meridian/contract/endpoint';
import { exportFileName, type ExportFormat, type ExportNoun } from '@meridian/contract/exports';
import { ApiError } from '../../api/api-error.ts';
import { errorOfResponse } from '../../api/read-error.ts';
import { type QueryValues, requestUrl } from '../../api/request-url.ts';
import { headersWith } from '../../api/send.ts';
import { getToken } from '../../api/token-store.ts';
import { reportUnauthorized } from '../../api/unauthorized.ts';
import { rowCounter } from './row-counter.ts';

export interface ExportOptions {
  noun: ExportNoun;
  format: ExportFormat;
  /** Too long to be held in memory: written to disk as it comes, where the browser can. */
  isLarge: boolean;
  signal: AbortSignal;
  onRows: (rows: number) => void;
}

/** Known to some browsers only, and not to the DOM library. */
interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<SavedFile>;
}
type SavedFile = FileSystemFileHandle & { remove?: () => Promise<void> };

/** Saves the file only when all of it has come: a part is never taken for the whole. */
export async function exportRows(
  endpoint: Endpoint,
  query: QueryValues,
  { noun, format, isLarge, signal, onRows }: ExportOptions,
): Promise<void> {
  const name = exportFileName(noun, format, new Date());
  // Asked for first: a browser opens its dialog only as the answer to a press.
  const picker = (window as SavePicker).showSaveFilePicker;
  const file = isLarge ? await picker?.({ suggestedName: name }) : undefined;
  const body = await openExport(endpoint, { ...query, format }, signal);
  const counted = body.pipeThrough(rowCounter(format, onRows));
  if (file === undefined) saveBlob(await new Response(counted).blob(), name);
  else await saveTo(file, counted, signal);
}

async function openExport(endpoint: Endpoint, query: QueryValues, signal: AbortSignal) {
  const token = getToken();
  let response: Response;
  try {
    response = await fetch(requestUrl(endpoint, {}, query), {
      headers: headersWith(token, { Accept: '*/*' }),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
  } catch (cause) {
    throw new ApiError({ status: 0, message: '' }, cause);
  }
  if (response.ok && response.body !== null) return response.body;
  const error = await errorOfResponse(response);
  if (error.status === 401) reportUnauthorized(token);
  throw error;
}

async function saveTo(file: SavedFile, body: ReadableStream<Uint8Array>, signal: AbortSignal) {
  try {
    // A pipe that breaks aborts the writing, which leaves what was there before.
    await body.pipeTo(await file.createWritable(), { signal });
  } catch (error) {
    await file.remove?.();
    throw error;
  }
}

function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has taken the blob over by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
