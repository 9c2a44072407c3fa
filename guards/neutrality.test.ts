import { describe, expect, test } from 'vitest';
import { projectFiles, read } from './tree.ts';

const TEXT = /\.(ts|tsx|mjs|js|css|html|md|json|sql|sh|ya?ml)$|^\.ci\/|^\.npmrc$/;

test("no file names a folder of a developer's machine", () => {
  const homes = /(?<![\w.])\/(?:home|Users|root|work)\/\w/;
  const strays = projectFiles(TEXT).filter(
    (file) => file !== 'package-lock.json' && homes.test(read(file)),
  );
  expect(strays).toEqual([]);
});

type Locked = { link?: boolean; integrity?: string; inBundle?: boolean };

describe('the lock file', () => {
  const text = read('package-lock.json');
  const lock: { packages: Record<string, Locked> } = JSON.parse(text);
  const packages = Object.entries(lock.packages).filter(
    ([name, entry]) => name.includes('node_modules/') && !entry.link,
  );

  // A bundled package is part of the archive of the package around it, and so is its hash.
  const hashOf = (name: string): string | undefined => {
    const entry = lock.packages[name];
    if (entry?.inBundle !== true) return entry?.integrity;
    return hashOf(name.slice(0, name.lastIndexOf('/node_modules/')));
  };

  test('pins every package by hash, for every system', () => {
    expect(packages.length).toBeGreaterThan(50);
    const unpinned = packages
      .map(([name]) => name)
      .filter((name) => hashOf(name)?.startsWith('sha512-') !== true);
    expect(unpinned).toEqual([]);
  });

  test('has the arm64 form of every native package it has for x64', () => {
    const natives = packages.map(([name]) => name).filter((name) => /linux-x64(-gnu)?$/.test(name));
    const missing = natives.filter(
      (name) => lock.packages[name.replace('linux-x64', 'linux-arm64')]?.integrity === undefined,
    );
    expect(natives.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });

  test('names no registry', () => {
    expect(text).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });
});
