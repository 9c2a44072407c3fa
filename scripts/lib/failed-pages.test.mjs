import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { failedPages } from './failed-pages.mjs';

function reportOf(markdown) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-failed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'error-context.md');
  writeFileSync(path, markdown);
  const attachments = [{ name: 'error-context', contentType: 'text/markdown', path }];
  const spec = { file: 'a.spec.ts', title: 'fails', tests: [{ results: [{ attachments }] }] };
  const passed = { file: 'a.spec.ts', title: 'passes', tests: [{ results: [{}] }] };
  return { suites: [{ suites: [{ specs: [passed, spec] }] }] };
}

test('what the page showed when a test failed', () => {
  const markdown = '# Error\n\n```yaml\n- main:\n  - button "Go"\n```\n\n```ts\nlater\n```\n';
  expect(failedPages(reportOf(markdown))).toEqual(['a.spec.ts › fails\n- main:\n  - button "Go"']);
});

test('a long page is cut', () => {
  const lines = Array.from({ length: 160 }, (_, index) => `- item ${index}`);
  const [page] = failedPages(reportOf(`\`\`\`yaml\n${lines.join('\n')}\n\`\`\`\n`));
  const shown = page.split('\n');
  expect(shown).toHaveLength(152);
  expect(shown.at(-1)).toBe('(10 more lines)');
});

test('nothing where no page was left', () => {
  expect(failedPages(reportOf('# Error\n'))).toEqual(['a.spec.ts › fails']);
  expect(failedPages({})).toEqual([]);
});
