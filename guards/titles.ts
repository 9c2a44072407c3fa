import { read } from './tree.ts';

const LITERAL = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`';
/** `test('title',`, `test.describe('title',` and `test.each(…)('title',`. */
const TITLED = new RegExp(
  String.raw`(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(${LITERAL})\s*,`,
  'g',
);

const titlesIn = new Map<string, Set<string>>();

/** The titles of the tests in a file. */
export function titlesOf(file: string): Set<string> {
  const known = titlesIn.get(file);
  if (known) return known;
  const literals = [...read(file).matchAll(TITLED)].map(([, literal = '']) => literal);
  const titles = new Set(literals.map((text) => text.slice(1, -1).replaceAll(/\\(.)/g, '$1')));
  titlesIn.set(file, titles);
  return titles;
}
