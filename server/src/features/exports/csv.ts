/** Spreadsheets run a cell that begins with one of these as a formula; the last four are full width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const QUOTED = /[",\r\n']|^\s|\s$/u;

/** So that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A line as in RFC 4180. Numbers and flags stay as they are; a text that looks like a formula does not. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
