import type { ExportFormat } from '@meridian/contract/exports';

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
