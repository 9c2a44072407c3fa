import { createReadStream } from 'node:fs';

/** Far more than the longest post; what is longer is no line of text. */
const LINE_MAX_BYTES = 1_000_000;
const NEWLINE = 0x0a;

/** `text` is null when the line cannot be read, for this `fault`. */
export type Line = { number: number; bytes: number } & (
  | { text: string; fault: null }
  | { text: null; fault: string }
);

/** The lines of a file in bounded memory, whatever it holds. Blank ones are counted and left out. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 0;

  const keep = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= LINE_MAX_BYTES) parts.push(part);
  };
  const take = (): Line => {
    const line = { number: (number += 1), bytes: bytes + 1 };
    const [whole, isTooLong] = [Buffer.concat(parts), bytes > LINE_MAX_BYTES];
    [parts, bytes] = [[], 0];
    if (isTooLong) return { ...line, text: null, fault: 'The line is longer than 1 MB' };
    try {
      return { ...line, text: decoder.decode(whole), fault: null };
    } catch {
      return { ...line, text: null, fault: 'The line is not UTF-8' };
    }
  };

  // A stream of bytes without an encoding yields buffers.
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      const line = take();
      if (line.text?.trim() !== '') yield line;
    }
    keep(chunk.subarray(start));
  }
  const last = take();
  if (last.text?.trim() !== '') yield last;
}
