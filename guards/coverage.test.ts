import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { titlesOf } from './titles.ts';
import { read, ROOT } from './tree.ts';

const DOCUMENT = 'docs/specification-coverage.md';
const UNPROVED = 'Not proved by a test';
const NO_PROOF = '—';

type Row = { section: string; cells: string[] };
type Proof = { file: string; title: string };

/** The rows of every table, without heads and rulers. A bar inside a cell is written `\|`. */
function rowsOf(markdown: string): Row[] {
  let section = '';
  return markdown.split('\n').flatMap((line, index, lines) => {
    section = /^## (.+)$/.exec(line)?.[1] ?? section;
    const isTable = line.startsWith('|') && !line.startsWith('|---');
    if (!isTable || lines[index + 1]?.startsWith('|---')) return [];
    const cells = line.slice(1, -1).split(/(?<!\\)\|/);
    return [{ section, cells: cells.map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')) }];
  });
}

/** `file › title`, as often as the cell has it; a title may end early, in `…`. */
function proofsOf(cell: string): Proof[] {
  return [...cell.matchAll(/`(\S+) › (.+?)`(?=<br>|$)/g)].map(([, file = '', title = '']) => ({
    file,
    title,
  }));
}

const rows = rowsOf(read(DOCUMENT));
/** Behaviours of one proof share a row. */
const behaviours = rows
  .filter(({ section }) => section !== UNPROVED)
  .flatMap(({ section, cells: [texts = '', proof = ''] }) =>
    texts.split('<br>').map((text) => ({ section, text, proof })),
  );
const unproved = rows.filter(({ section }) => section === UNPROVED).map(({ cells }) => cells[0]);

test('every section of the specification has its table, and every row two cells', () => {
  const sections = new Set(behaviours.map(({ section }) => section.slice(0, 2)));
  expect([...sections]).toEqual(['1.', '2.', '3.', '4.', '5.', '6.', '7.', '8.', '9.']);
  expect(behaviours.length).toBeGreaterThan(300);
  expect(behaviours.filter(({ text }) => text.trim() === '')).toEqual([]);
  expect(rows.filter(({ cells }) => cells.length !== 2 || cells.includes(''))).toEqual([]);
});

/** A title that ends in `…` is the beginning of exactly one. */
function isThere({ file, title }: Proof): boolean {
  if (!existsSync(path.join(ROOT, file))) return false;
  if (!title.endsWith('…')) return titlesOf(file).has(title);
  const begun = [...titlesOf(file)].filter((whole) => whole.startsWith(title.slice(0, -1)));
  return begun.length === 1;
}

test('every test that is named exists', () => {
  const named = behaviours.flatMap(({ proof }) => proofsOf(proof));
  const missing = named.filter((proof) => !isThere(proof));
  expect(missing.map(({ file, title }) => `${file} › ${title}`)).toEqual([]);
});

test('a proof is written so that it can be looked up', () => {
  const unread = behaviours.filter(({ proof }) => {
    const written = proofsOf(proof).map(({ file, title }) => `\`${file} › ${title}\``);
    return proof !== NO_PROOF && (written.length === 0 || written.join('<br>') !== proof);
  });
  expect(unread).toEqual([]);
});

test('what no test proves stands at the end, and nothing else does', () => {
  const withoutProof = behaviours.filter(({ proof }) => proof === NO_PROOF);
  expect(unproved).toEqual(withoutProof.map(({ text }) => text));
});
