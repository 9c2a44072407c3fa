import { expect, test } from 'vitest';
import { installProgress } from './install-progress.mjs';

const fetched = (name) =>
  `npm http fetch GET 200 https://registry.npmjs.org/${name} 9ms\n` +
  `npm http fetch GET 200 https://registry.npmjs.org/${name}/-/${name}-1.0.0.tgz 9ms (cache miss)\n`;

function played(isTTY) {
  let shown = '';
  const screen = { isTTY, write: (text) => (shown += text) };
  const progress = installProgress(4, screen);
  const said = [
    fetched('a'),
    'npm http cache a@https://registry.npmjs.org/a/-/a-1.0.0.tgz 0ms\n',
    fetched('b'),
  ];
  // In pieces, as a pipe delivers it.
  for (const part of said.join('').match(/[\s\S]{1,50}/g) ?? []) progress.read(part);
  progress.finish();
  return shown;
}

test('each archive counts once: a line at every quarter, or one that is redrawn', () => {
  expect(played(false)).toBe('Fetched 1 of 4 packages.\nFetched 2 of 4 packages.\n');
  const clear = '\r\u001B[K';
  expect(played(true).endsWith(`${clear}Fetched 2 of 4 packages.${clear}`)).toBe(true);
});
