import { expect, test } from 'vitest';
import { read } from './tree.ts';

type Manifest = {
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const manifestOf = (folder: string) => JSON.parse(read(`${folder}package.json`)) as Manifest;
const root = manifestOf('');
const manifests = [root, ...(root.workspaces ?? []).map((name) => manifestOf(`${name}/`))];
const dependencies = manifests.flatMap(
  ({ dependencies: used, devDependencies: dev, optionalDependencies: optional }) =>
    Object.entries({ ...used, ...dev, ...optional }),
);

const rows = [...read('docs/dependencies.md').matchAll(/^\| `(.+?)` \| (.+) \|$/gm)];
const explained = rows.map(([, name = '']) => name);
const isMeant = (pattern: string, name: string) =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

test('every dependency of every workspace has its reason in docs/dependencies.md', () => {
  const missing = dependencies
    .map(([name]) => name)
    .filter((name) => !explained.some((pattern) => isMeant(pattern, name)));
  expect([...new Set(missing)]).toEqual([]);
});

test('no reason is given for a package that is not used, and none twice', () => {
  const unused = explained.filter(
    (pattern) => !dependencies.some(([name]) => isMeant(pattern, name)),
  );
  expect(unused).toEqual([]);
  expect(new Set(explained).size).toBe(explained.length);
});

test('every version is exact', () => {
  const loose = dependencies.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  expect(loose).toEqual([]);
});
