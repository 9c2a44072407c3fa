import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../server/src/config/variables.ts';
import { projectFiles, read, ROOT } from './tree.ts';

test("the README's table of settings is the one the code reads", () => {
  const rows = [...read('README.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (.*?) \| (.*?) \|$/gm)];
  const documented = rows.map(([, name, shown, meaning]) => ({ name, shown, meaning }));
  const inCode = Object.entries(VARIABLES).map(([name, { shown, meaning }]) => ({
    name,
    shown,
    meaning,
  }));
  expect(documented).toEqual(inCode);
});

test('the server reads its environment through that table alone', () => {
  const strays = projectFiles(/^server\/src\/.*\.ts$/)
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /process\.env(\.|\[)/.test(read(file)));
  // The database's own process gets a small environment of its own, PATH among it.
  expect(strays.filter((file) => !file.startsWith('server/src/db/embedded/'))).toEqual([]);
});

test('every link in the documentation resolves', () => {
  const broken = projectFiles(/\.md$/).flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((target) => !existsSync(path.join(ROOT, path.dirname(file), target)))
      .map((target) => `${file} -> ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every npm script the README names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read('README.md').matchAll(/npm (?:run )?([a-z][\w:]*)/g)].map(
    (match) => match[1] ?? '',
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
