import { existsSync, readFileSync } from 'node:fs';

/** Longer than any screen without a list; the further rows of a long one say nothing new. */
const LINES_MAX = 150;

/**
 * What the page showed when a browser test failed, as lines: on another machine, whose files are gone
 * afterwards, there is nothing else to find the reason by.
 */
export function failedPages({ suites = [] }) {
  return suites.flatMap(pagesOf);
}

function pagesOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .flatMap(({ results }) => results)
      .flatMap(({ attachments = [] }) => attachments)
      .filter(({ name, path }) => name === 'error-context' && existsSync(path))
      .map(({ path }) =>
        [`${file} › ${title}`, ...snapshotIn(readFileSync(path, 'utf8'))].join('\n'),
      ),
  );
  return [...own, ...suites.flatMap(pagesOf)];
}

function snapshotIn(markdown) {
  const lines = /^```yaml\n(.*?)^```$/ms.exec(markdown)?.[1].trimEnd().split('\n') ?? [];
  const left = lines.length - LINES_MAX;
  return left > 0 ? [...lines.slice(0, LINES_MAX), `(${left} more lines)`] : lines;
}
