import { describe, expect, test } from 'vitest';
import { projectFiles, read } from './tree.ts';

const TEXT = /\.(ts|tsx|mjs|js|css|html|md|json|sql|sh|ya?ml)$|^\.ci\/|^\.npmrc$/;

test("no file names a folder of somebody's machine", () => {
  const homes = /(?<![\w.])\/(?:home|Users|root|work)\/\w/;
  const strays = projectFiles(TEXT).filter(
    (file) => file !== 'package-lock.json' && homes.test(read(file)),
  );
  expect(strays).toEqual([]);
});

type Locked = {
  link?: boolean;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};

/** Installed on the platforms that Meridian carries a runtime and a database for. */
function isForOurPlatforms({ os, cpu, libc }: Locked): boolean {
  const isLinux = os === undefined || os.includes('linux');
  const isCommonCpu = cpu === undefined || cpu.some((name) => name === 'x64' || name === 'arm64');
  return isLinux && isCommonCpu && (libc === undefined || libc.includes('glibc'));
}

describe('the lock file', () => {
  const text = read('package-lock.json');
  const lock: { packages: Record<string, Locked> } = JSON.parse(text);
  const packages = Object.entries(lock.packages).filter(
    ([name, entry]) => name.includes('node_modules/') && !entry.link,
  );

  test('pins by hash every package that Linux on x64 or arm64 installs', () => {
    expect(packages.length).toBeGreaterThan(50);
    const unpinned = packages.filter(
      ([, entry]) =>
        !entry.integrity?.startsWith('sha512-') && (isForOurPlatforms(entry) || !entry.optional),
    );
    expect(unpinned.map(([name]) => name)).toEqual([]);
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
