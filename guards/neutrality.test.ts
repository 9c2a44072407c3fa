import { expect, test } from 'vitest';
import { projectFiles, read } from './tree.ts';

const TEXT = /\.(ts|tsx|mjs|js|css|html|md|json|sql|sh|ya?ml)$|^\.ci\/|^\.npmrc$/;

test("no file names a folder of somebody's machine", () => {
  const homes = /(?<![\w.])\/(?:home|Users|root|work)\/\w/;
  const strays = projectFiles(TEXT).filter(
    (file) => file !== 'package-lock.json' && homes.test(read(file)),
  );
  expect(strays).toEqual([]);
});

test('the lock file pins every package by hash and names no registry', () => {
  const lock: {
    packages: Record<string, { link?: boolean; integrity?: string; resolved?: string }>;
  } = JSON.parse(read('package-lock.json'));
  const fromRegistry = Object.entries(lock.packages).filter(
    ([name, entry]) => name.includes('node_modules/') && !entry.link,
  );
  expect(fromRegistry.length).toBeGreaterThan(50);
  expect(fromRegistry.filter(([, entry]) => !entry.integrity?.startsWith('sha512-'))).toEqual([]);
  expect(read('package-lock.json')).not.toMatch(/https?:\/\/[^"]*\.tgz/);
});
