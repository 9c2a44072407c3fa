import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** A fenced block of the documentation, and the comment above it that says which test runs it. */
export type Example = {
  document: string;
  line: number;
  text: string;
  /** `<!-- test: file › title -->`: this is `file › title`. */
  test: string | null;
  /** `<!-- not run: reason -->`. */
  reason: string | null;
};

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const BLOCK = /(?:^<!-- (test|not run): (.+?) -->\n)?^```[^\n]*\n([\s\S]*?)^```$/gm;

export function allExamples(): Example[] {
  return DOCUMENTS.flatMap((document) => {
    const text = readFileSync(join(ROOT, document), 'utf8');
    return [...text.matchAll(BLOCK)].map((match) => {
      const [, kind, note = null, body = ''] = match;
      return {
        document,
        line: text.slice(0, match.index).split('\n').length,
        text: body,
        test: kind === 'test' ? note : null,
        reason: kind === 'not run' ? note : null,
      };
    });
  });
}

/** Those that name this test. */
export function examplesFor(title: string): Example[] {
  const found = allExamples().filter(({ test }) => test?.endsWith(` › ${title}`));
  if (found.length === 0) throw new Error(`No example names the test ${title}`);
  return found;
}

/** The lines of a shell example, continued ones joined, without comments. */
export function linesOf({ text }: Example): string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)# .*$/, '').trim())
    .filter((line) => line !== '');
}
