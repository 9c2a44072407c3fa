import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allExamples } from '../server/test/examples/read-examples.ts';
import type { Example } from '../server/test/examples/read-examples.ts';
import { titlesOf } from './titles.ts';
import { read, ROOT } from './tree.ts';

const EXAMPLES = allExamples();
const placeOf = ({ document, line }: Example) => `${document}:${line}`;

test('every fenced block names the test that runs it, or says why none can', () => {
  expect(EXAMPLES.length).toBeGreaterThan(30);
  const fences = EXAMPLES.map(({ document }) => document)
    .filter((document, index, all) => all.indexOf(document) === index)
    .flatMap((document) => read(document).match(/^\s*```/gm) ?? []);
  // A block that the pattern misses would escape unseen.
  expect(fences).toHaveLength(EXAMPLES.length * 2);
  const unmarked = EXAMPLES.filter(({ test: named, reason }) => (named ?? reason) === null);
  expect(unmarked.map(placeOf)).toEqual([]);
});

test('the named test exists and reads the document', () => {
  const wrong = EXAMPLES.filter(({ document, test: named }) => {
    if (named === null) return false;
    const [file = '', title = ''] = named.split(' › ');
    if (!existsSync(path.join(ROOT, file)) || !titlesOf(file).includes(title)) return true;
    // The tests in that folder run every block that names them.
    return !file.startsWith('server/test/examples/') && !read(file).includes(document);
  });
  expect(wrong.map((example) => `${placeOf(example)} ${example.test}`)).toEqual([]);
});
