import { describe, expect, test } from 'vitest';
import { importsOf, projectFiles } from './tree.ts';

const folderOf = (file: string) => /^console\/src\/pages\/([^/]+)\//.exec(file)?.[1];
const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/** Each room and what it may reach; anything else in the project is out of bounds. */
const ROOMS: { room: string; mayImport: RegExp }[] = [
  { room: 'contract/src/', mayImport: /^contract\/src\/|^zod(\/|$)/ },
  { room: 'demo/src/', mayImport: /^demo\/(src|data)\/|^@meridian\/contract\/|^node:/ },
  { room: 'embedded/src/', mayImport: /^embedded\/src\/|^(node:|pg$|vitest$)/ },
  {
    room: 'server/src/',
    mayImport:
      /^server\/src\/|^@meridian\/(contract|demo|embedded-postgres)(\/|$)|^[^.@]|^@(?!meridian)/,
  },
  {
    // The kit knows no nouns: of the contract it has what is said of every call.
    room: 'ui/src/',
    mayImport:
      /^ui\/src\/|^@meridian\/contract\/(endpoint|events|fields|page-config|pictures|requests|validation)$|^[^.@uc]|^@tanstack\//,
  },
  {
    room: 'console/src/components/',
    mayImport:
      /^console\/src\/(?!pages\/|routes)|^@meridian\/(contract|ui)\/|^[^.@]|^@(?!meridian)/,
  },
  {
    room: 'console/src/pages/',
    mayImport: /^console\/src\/(?!routes)|^@meridian\/(contract|ui)\/|^[^.@]|^@(?!meridian)/,
  },
  {
    room: 'me/src/',
    mayImport:
      /^me\/src\/|^@meridian\/(contract|ui)\/|^(react|react-dom|lucide-react|@tanstack\/react-query)(\/|$)/,
  },
];

describe('imports flow one way', () => {
  test.each(ROOMS)('$room', ({ room, mayImport }) => {
    const files = projectFiles(/\.tsx?$/).filter((file) => file.startsWith(room) && !isTest(file));
    expect(files.length).toBeGreaterThan(0);
    const strays = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !mayImport.test(target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(strays).toEqual([]);
  });

  test("a page does not reach into another page's folder", () => {
    const strays = projectFiles(/^console\/src\/pages\/.*\.tsx?$/).flatMap((file) =>
      importsOf(file)
        .filter((target) => folderOf(target) && folderOf(target) !== folderOf(file))
        .map((target) => `${file} -> ${target}`),
    );
    expect(strays).toEqual([]);
  });

  test('a page imports single nouns of the contract, so that a page loads only what it calls', () => {
    const whole = projectFiles(/^(?:console|me|ui)\/src\/.*(?<!\.test)\.tsx?$/).filter((file) =>
      importsOf(file).some(
        (target) => target === '@meridian/contract' || target === '@meridian/contract/endpoints',
      ),
    );
    expect(whole).toEqual([]);
  });
});
