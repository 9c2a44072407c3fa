import type { Endpoint } from '@meridian/contract/endpoint';
import { exportFileName, type ExportFormat, type ExportNoun } from '@meridian/contract/exports';
import { fetchFile, type QueryValues, saveBlob } from '@meridian/ui/api/call.ts';
import { ApiError } from '@meridian/ui/api/errors.ts';

interface ExportOptions {
  noun: ExportNoun;
  format: ExportFormat;
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
  // First, as a browser opens its dialog only in response to a press.
  const picker = (window as SavePicker).showSaveFilePicker;
  const file = isLarge ? await picker?.({ suggestedName: name }) : undefined;
  const wanted = { query: { ...query, format }, accept: '*/*', signal, isLong: true };
  const { status, body } = await fetchFile(endpoint, wanted);
  if (body === null) throw new ApiError({ status, message: '' });
  const counted = body.pipeThrough(rowCounter(format, onRows));
  if (file === undefined) saveBlob(await new Response(counted).blob(), name);
  else await saveTo(file, counted, signal);
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

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Passes a file on and tells how many rows have gone by. The header of a CSV file is none. */
export function rowCounter(format: ExportFormat, onRows: (rows: number) => void) {
  const isCsv = format === 'csv';
  let rows = isCsv ? -1 : 0;
  // A line break inside quotes belongs to a cell. A doubled quote closes and opens again.
  let isQuoted = false;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      for (const byte of chunk) {
        if (byte === QUOTE && isCsv) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) rows += 1;
      }
      onRows(Math.max(0, rows));
      controller.enqueue(chunk);
    },
  });
}
