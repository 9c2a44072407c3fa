import { expect, test } from 'vitest';
import { rowCounter } from './export-rows.ts';

test.each([
  ['csv', '\uFEFFa,b\r\n', 0],
  ['csv', 'a,b\r\n1,2\r\n3,4\r\n', 2],
  ['csv', 'a,b\r\n"one\nline ""and"" more","x"\r\n', 1],
  ['ndjson', '', 0],
  ['ndjson', '{"a":"say \\"x"}\n{"a":2}\n', 2],
] as const)('%s %j has %d rows, however it is cut', async (format, text, expected) => {
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 3, 1000]) {
    let counted = 0;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
    const passed = stream.pipeThrough(rowCounter(format, (rows) => (counted = rows)));
    expect(new Uint8Array(await new Response(passed).arrayBuffer())).toEqual(bytes);
    expect(counted).toBe(expected);
  }
});
