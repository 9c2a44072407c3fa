import { expect, test } from 'vitest';
import { titlesIn } from './titles.ts';
import { projectFiles, read } from './tree.ts';

const DOCUMENT = 'docs/specification-coverage.md';
/** The numbers of the behaviours that no test proves. */
const UNPROVED: string[] = [];

const HEAD = '| No. | Behaviour | Proved by |';
const RULER = '|---|---|---|';
const ROW = /^\| (\d+\.\d+) \| (.+?) \|.*$/gm;
const LIST = '## Not proved by a test\n';
const [tables = ''] = read(DOCUMENT).split(LIST);
/** The text of each behaviour by its number. */
const behaviours = new Map(
  [...tables.matchAll(ROW)].map(([, number = '', text = '']) => [number, text]),
);

type Tag = { file: string; line: string; numbers: string[]; title: string | undefined };

/** The line of a test that runs: what is skipped proves nothing. */
const TEST = /^(?= *(?:test|it|describe)(?:\.(?!skip|fixme|todo|call)\w+)*[(<])/m;
const TAG = /^ *\/\/ Proves (.+)\n/gm;
const LAST_TAGS = /(?:^ *\/\/ Proves .+\n)*(?![\s\S])/m;

/** The tags of a file; one that stands above no test has no title. */
function tagsIn(file: string): Tag[] {
  const parts = read(file).split(TEST);
  return parts.flatMap((part, at) => {
    const [title] = titlesIn(parts[at + 1] ?? '');
    const last = part.search(LAST_TAGS);
    return [...part.matchAll(TAG)].map(({ 0: line, 1: numbers = '', index }) => ({
      file,
      line: line.trim(),
      numbers: numbers.split(', '),
      title: index < last ? undefined : title,
    }));
  });
}

const tags = projectFiles(/\.(test|spec)\.(ts|tsx|mjs)$/)
  .toSorted()
  .flatMap((file) => tagsIn(file));
const proofs = tags.filter(({ title }) => title !== undefined);
const proved = new Set(proofs.flatMap(({ numbers }) => numbers));
const unproved = [...behaviours.keys()].filter((number) => !proved.has(number));

test('every section of the specification has its table, and every number stands once', () => {
  const sections = tables.split(/^## /m).slice(1);
  expect(sections.map((section) => section.slice(0, 2)).join('')).toBe('1.2.3.4.5.6.7.8.9.');
  const misplaced = sections.flatMap((section) =>
    [...section.matchAll(/^\|.*$/gm)]
      .map(([row]) => row)
      .filter((row) => row !== HEAD && row !== RULER)
      .filter((row) => row.search(ROW) !== 0 || !row.startsWith(`| ${section.slice(0, 2)}`)),
  );
  expect(misplaced, 'rows without a text or a number of their section').toEqual([]);
  const numbers = [...tables.matchAll(ROW)].map(([, number = '']) => number);
  const twice = numbers.filter((number, at) => numbers.indexOf(number) !== at);
  expect(twice, 'numbers of two behaviours').toEqual([]);
  expect(numbers.length).toBeGreaterThan(300);
});

test('every tag stands above a test and names behaviours of the specification', () => {
  const wrong = tags.flatMap(({ file, line, numbers, title }) => {
    if (title === undefined) return [`${file}: no test with a title follows '${line}'.`];
    const unknown = numbers.filter((number) => !behaviours.has(number));
    return unknown.map((number) => `${file}: ${DOCUMENT} has no number ${number}: '${line}'.`);
  });
  expect(wrong).toEqual([]);
});

test('no behaviour has lost its proof', () => {
  const lost = unproved
    .filter((number) => !UNPROVED.includes(number))
    .map(
      (number) =>
        `No test proves ${number}, ${behaviours.get(number)}. Tag one: '// Proves ${number}'.`,
    );
  expect(lost).toEqual([]);
  expect(
    UNPROVED.filter((number) => !unproved.includes(number)),
    'numbers that a test proves',
  ).toEqual([]);
});

/** The document with the last column and the list at the end as the tags say. */
function generated(): string {
  const table = tables.replaceAll(ROW, (_row, number: string, text: string) => {
    const named = proofs
      .filter(({ numbers }) => numbers.includes(number))
      .map(({ file, title = '' }) => `\`${file} › ${title.replaceAll('|', String.raw`\|`)}\``);
    return `| ${number} | ${text} | ${[...new Set(named)].join('<br>') || '—'} |`;
  });
  const list = unproved.map((number) => `- ${number} ${behaviours.get(number)}`);
  return `${table}${LIST}\n${list.join('\n') || 'Nothing.'}\n`;
}

test('the document names each behaviour beside the tests that are tagged with it', async () => {
  await expect(generated()).toMatchFileSnapshot(`../${DOCUMENT}`);
});
