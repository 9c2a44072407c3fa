import { expect, test } from 'vitest';
import { rowsOf, verdictTable } from './verdicts.mjs';

const GREEN = { passed: 3, failed: 0, skipped: 0 };
const VERDICT = { goal: '0 lost', measured: '0', isMet: true };
const part = { goal: 'all hold', sum: (figures) => `${figures.length} noted` };

test('a part of tests is judged by them, and by what they judged themselves', () => {
  expect(rowsOf('kills', part, GREEN, [{ what: 'else' }, VERDICT])).toEqual([
    { part: 'kills', goal: 'all hold', measured: '2 noted, 3 of 3 tests', isMet: true },
    { part: 'kills', ...VERDICT },
  ]);
});

test('failed and skipped tests show, and no test at all is not met', () => {
  const red = rowsOf('kills', { goal: 'g' }, { passed: 2, failed: 1, skipped: 4 }, []);
  expect(red).toEqual([
    { part: 'kills', goal: 'g', measured: '2 of 3 tests, 4 skipped', isMet: false },
  ]);
  const [nothing] = rowsOf('kills', { goal: 'g' }, { passed: 0, failed: 0, skipped: 0 }, []);
  expect(nothing.isMet).toBe(false);
  // What cannot be tried on this machine is neither.
  const untried = rowsOf('disk', { goal: 'g' }, { passed: 0, failed: 0, skipped: 2 }, []);
  expect(verdictTable(untried)).toContain('2 skipped  not tried');
});

test('a part that ends badly without a verdict is not met', () => {
  const ended = { passed: 0, failed: 1, skipped: 0 };
  expect(rowsOf('load', undefined, ended, [VERDICT]).map(({ isMet }) => isMet)).toEqual([
    true,
    false,
  ]);
  const missed = { ...VERDICT, isMet: false };
  expect(rowsOf('load', undefined, ended, [missed])).toEqual([{ part: 'load', ...missed }]);
});

test('one line each', () => {
  const rows = [
    { part: 'kills', ...VERDICT },
    { part: 'load', goal: 'p99', measured: '300 ms', isMet: false },
  ];
  expect(verdictTable(rows)).toBe(
    [
      '  Part   Goal    Measured',
      '  kills  0 lost  0         met',
      '  load   p99     300 ms    NOT MET',
    ].join('\n'),
  );
});
