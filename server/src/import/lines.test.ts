import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLines } from './format.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function linesOf(content: string | Buffer) {
  const file = join(folder, 'file');
  await writeFile(file, content);
  const lines = [];
  for await (const { number, text, fault } of readLines(file)) lines.push([number, text ?? fault]);
  return lines;
}

test.each([
  ['', []],
  [
    'a\nb\n',
    [
      [1, 'a'],
      [2, 'b'],
    ],
  ],
  [
    'a\r\n\n \nb',
    [
      [1, 'a\r'],
      [4, 'b'],
    ],
  ],
  ['\u{feff}{"ä":"𝄞"}\n', [[1, '{"ä":"𝄞"}']]],
])('%j', async (content, lines) => {
  expect(await linesOf(content)).toEqual(lines);
});

test('a line that no text can be is refused, and those beside it are not', async () => {
  const content = Buffer.concat([
    Buffer.from('a\n'),
    Buffer.from([0xc3, 0x28, 0x0a]),
    Buffer.alloc(3_000_000, 'x'),
    Buffer.from('\nb\n'),
  ]);
  expect(await linesOf(content)).toEqual([
    [1, 'a'],
    [2, 'The line is not UTF-8'],
    [3, 'The line is longer than 1 MB'],
    [4, 'b'],
  ]);
});
