import { describe, expect, test } from 'vitest';
import { MARKS } from '../marks.ts';
import type { MarkId } from '../marks.ts';
import type { Row } from './row.ts';
import { asMarkdown, asText, marksTableOf, tableOf } from './table.ts';
import { isMet, unmeasured, verdictsOf } from './verdicts.ts';

const ms = (value: number) => ({ value, unit: 'ms' }) as const;
function row(name: string, mark: MarkId | null, ours: number, against: number): Row {
  return {
    section: 'Lists',
    name,
    ours: ms(ours),
    against: { name: 'bare SQL', ...ms(against) },
    mark,
  };
}

describe('a mark', () => {
  test('is met at its limit', () => {
    expect(isMet(MARKS.list, 1.5)).toBe(true);
    expect(isMet(MARKS.list, 1.51)).toBe(false);
    expect(isMet(MARKS.throughput, 0.75)).toBe(true);
    expect(isMet(MARKS.throughput, 0.74)).toBe(false);
  });

  test('is judged by the row that is the farthest off', () => {
    const rows = [
      row('good', 'list', 2, 2),
      row('bad', 'list', 4, 2),
      row('slow', 'throughput', 1, 2),
      row('quick', 'throughput', 2, 2),
      row('without a mark', null, 9, 1),
    ];
    const found = verdictsOf(rows).map(({ mark, measured, row: { name }, isMet: met }) => ({
      mark,
      measured,
      name,
      met,
    }));
    expect(found).toEqual([
      { mark: 'list', measured: 2, name: 'bad', met: false },
      { mark: 'throughput', measured: 0.5, name: 'slow', met: false },
    ]);
    expect(unmeasured(rows)).not.toContain('list');
    expect(unmeasured(rows)).toContain('write');
  });

  test('may be about something else than the ratio', () => {
    const { measured, ...click } = { ...row('posts', 'click', 90, 40), measured: 50 };
    expect(verdictsOf([{ ...click, measured }])[0]).toMatchObject({ measured: 50, isMet: true });
  });
});

describe('the table', () => {
  const rows = [row('by date', 'list', 1.204, 1), row('by status', 'list', 1234.4, 400)];

  test('in a terminal stands in columns', () => {
    expect(asText(tableOf(rows)).split('\n')).toEqual([
      'what         ours      against           ratio  mark',
      'Lists',
      '  by date    1.20 ms   bare SQL 1.00 ms  1.20×  ≤ 1.5×  met',
      '  by status  1,234 ms  bare SQL 400 ms   3.09×  ≤ 1.5×  NOT MET',
    ]);
  });

  test('in a file is Markdown', () => {
    const [head, rule, section, line] = asMarkdown(tableOf(rows)).split('\n');
    expect(head).toBe('| what | ours | against | ratio | mark |  |');
    expect(rule).toBe('| --- | --- | --- | --- | --- | --- |');
    expect(section).toBe('| **Lists** |  |  |  |  |  |');
    expect(line).toBe('| by date | 1.20 ms | bare SQL 1.00 ms | 1.20× | ≤ 1.5× | met |');
  });

  test('of the marks has all of them, measured or not', () => {
    const { lines } = marksTableOf(rows);
    expect(lines).toHaveLength(Object.keys(MARKS).length);
    expect(lines[0]).toEqual([
      MARKS.list.what,
      '≤ 1.5×',
      '3.09×',
      'by status',
      'not met (1 of 2 are)',
    ]);
    expect(lines[1]?.at(-1)).toBe('not measured');
  });
});
