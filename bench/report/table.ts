import { MARKS } from '../marks.ts';
import type { Mark } from '../marks.ts';
import { ratioOf } from './row.ts';
import type { Figure, Row } from './row.ts';
import { isMet, measuredOf, unmeasured, verdictsOf } from './verdicts.ts';

export type Table = { head: string[]; lines: string[][] };

/** Every row that was measured. */
export function tableOf(rows: readonly Row[]): Table {
  let section = '';
  const lines = rows.flatMap((row) => {
    const opening = row.section === section ? [] : [[row.section, '', '', '', '', '']];
    ({ section } = row);
    return [...opening, lineOf(row)];
  });
  return { head: ['what', 'ours', 'against', 'ratio', 'mark', ''], lines };
}

/** Each mark with what was measured at its worst. */
export function marksTableOf(rows: readonly Row[]): Table {
  const measured = verdictsOf(rows).map(({ mark: id, row, measured, isMet, met, rows }) => {
    const mark: Mark = MARKS[id];
    const verdict = isMet ? 'met' : `not met (${met} of ${rows} are)`;
    return [mark.what, limitOf(mark), `${shown(measured)}${mark.unit}`, row.name, verdict];
  });
  const missing = unmeasured(rows).map((id) => [
    MARKS[id].what,
    limitOf(MARKS[id]),
    '',
    '',
    'not measured',
  ]);
  return { head: ['mark', 'limit', 'at worst', 'where', ''], lines: [...measured, ...missing] };
}

function lineOf(row: Row): string[] {
  const ratio = ratioOf(row);
  const measured = measuredOf(row);
  const against = row.against === null ? '' : `${row.against.name} ${figure(row.against)}`;
  const cells = [
    `  ${row.name}`,
    figure(row.ours),
    against,
    ratio === null ? '' : `${shown(ratio)}×`,
  ];
  if (row.mark === null || measured === null) return [...cells, '', ''];
  const mark: Mark = MARKS[row.mark];
  return [...cells, limitOf(mark), isMet(mark, measured) ? 'met' : 'NOT MET'];
}

function limitOf({ sense, limit, unit }: Mark): string {
  return `${sense === 'at most' ? '≤' : '≥'} ${limit}${unit}`;
}

function figure({ value, p99, unit }: Figure): string {
  const tail = p99 === undefined ? '' : ` (p99 ${shown(p99)})`;
  return `${shown(value)} ${unit}${tail}`;
}

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
}

const markdownLine = (cells: string[]) => `| ${cells.join(' | ')} |`;

/** For a terminal. */
export function asText({ head, lines }: Table): string {
  const all = [head, ...lines];
  // A heading of a section stands alone on its line and may be as long as it likes.
  const sized = all.filter((cells) => cells.slice(1).some((cell) => cell !== ''));
  const widths = head.map((_, column) =>
    Math.max(...sized.map((cells) => (cells[column] ?? '').length)),
  );
  return all
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function asMarkdown({ head, lines }: Table): string {
  const body = lines.map((cells) => {
    const [first = '', ...rest] = cells;
    const isSection = rest.every((cell) => cell === '');
    return markdownLine(isSection ? [`**${first}**`, ...rest] : [first.trim(), ...rest]);
  });
  return [markdownLine(head), markdownLine(head.map(() => '---')), ...body].join('\n');
}
