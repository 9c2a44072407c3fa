import { read } from './tree.ts';

const LITERAL = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`';
/** `test('title',`, `test.describe('title',` and `test.each(…)('title',`. */
const TITLED = new RegExp(
  String.raw`(?:\b(?:test|it|describe)(?:\.\w+)*|\))\(\s*(${LITERAL})\s*,`,
  'g',
);

/** The titles of the tests in a text, in its order. */
export function titlesIn(text: string): string[] {
  const literals = [...text.matchAll(TITLED)].map(([, literal = '']) => literal);
  return literals.map((literal) => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1'));
}

export function titlesOf(file: string): string[] {
  return titlesIn(read(file));
}
