import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { figuresTable, readFigures, writeFigures } from './figures.mjs';

const folder = mkdtempSync(join(tmpdir(), 'meridian-figures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('reads what was noted, and nothing where nothing was', () => {
  const file = join(folder, 'noted.jsonl');
  expect(readFigures(file)).toEqual([]);
  writeFileSync(file, '{"what":"one","n":1}\n{"what":"other"}\n');
  expect(readFigures(file)).toEqual([{ what: 'one', n: 1 }, { what: 'other' }]);
});

test('shows each with its figures', () => {
  const figures = [{ what: 'kills', lost: 0, seed: '7' }, { what: 'load' }];
  expect(figuresTable(figures)).toBe('  kills  lost: 0, seed: 7\n  load   ');
});

test('writes them where there was no folder yet', () => {
  const file = join(folder, 'deep', 'result.json');
  writeFigures(file, { seed: 1 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ seed: 1 });
});
