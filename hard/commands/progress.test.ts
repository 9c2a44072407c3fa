import { expect, test } from 'vitest';
import { createProgress } from '../../server/src/cli/cli.ts';

function record(isTTY: boolean) {
  let text = '';
  let now = 0;
  const screen = { isTTY, write: (part: string) => (text += part) };
  const progress = createProgress(screen, () => now);
  progress.step('Posts', 40);
  for (let done = 1; done <= 40; done += 1) {
    now += 50;
    progress.advance(done);
  }
  progress.finish();
  return text;
}

test('without a terminal there is one plain line for every tenth', () => {
  const lines = record(false).trimEnd().split('\n');
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('Posts       10%  4 of 40, 0.2 s');
  expect(lines[9]).toBe('Posts      100%  40 of 40, 2.0 s');
});

test('in a terminal one line is redrawn, not too often, and stays full', () => {
  const text = record(true);
  expect(text.split('\n')).toHaveLength(2);
  const frames = text.split('\r').slice(1);
  expect(frames.length).toBeGreaterThan(15);
  expect(frames.length).toBeLessThan(25);
  expect(frames.at(-1)).toBe(`Posts      ${'█'.repeat(28)} 100%  40 of 40, 2.0 s\u001B[K\n`);
});
