import type { Summary } from './measure.ts';

/** A promise. Without a limit the figure is shown and not judged. */
export type Mark = { what: string; limit: number | null; unit: string; isFloor?: true };

/** The ratios are ours by the reference, measured in turns in one run. */
export const MARKS = {
  list: { what: 'posts list, page 1, against a bare route', limit: 1.3, unit: '×' },
  detail: { what: 'a post against a bare route', limit: 1.3, unit: '×' },
  growth: { what: 'a read among many posts against few', limit: 1.3, unit: '×' },
  nextPage: { what: 'next page in the middle against page 1', limit: 1.3, unit: '×' },
  stats: { what: 'statistics against a post', limit: 1.3, unit: '×' },
  search: { what: 'posts of the users found by a search, p95', limit: 50, unit: ' ms' },
  status: { what: 'status change with the counters against without', limit: 1.2, unit: '×' },
  burst: { what: 'posts published a second', limit: 1_667, unit: ' /s', isFloor: true },
  burstCpu: { what: 'CPU of PostgreSQL per post in a burst', limit: 0.3, unit: ' ms' },
  steadyCpu: { what: 'CPU of PostgreSQL per post at 100 a second', limit: 0.5, unit: ' ms' },
  exactlyOnce: { what: 'posts published twice, early or never', limit: 0, unit: ' posts' },
  lateMedian: { what: 'lateness at 100 posts a second, p50', limit: 5, unit: ' ms' },
  lateTail: { what: 'lateness at 100 posts a second, p99', limit: 50, unit: ' ms' },
  idleCpu: { what: 'CPU of an idle engine', limit: 0.3, unit: ' %' },
  idleQueries: { what: 'queries of an idle engine', limit: 1, unit: ' /s' },
  claim: { what: 'CPU of a claim among many posts against few', limit: 1.25, unit: '×' },
  streamMemory: { what: 'more memory with 200 open event streams', limit: 40, unit: ' MB' },
  streamList: { what: 'posts list beside them, p99 against quiet', limit: 1.5, unit: '×' },
  exportMemory: { what: 'more memory while all posts are exported', limit: 50, unit: ' MB' },
  signInBytes: { what: 'scripts and styles of the sign-in page', limit: 115, unit: ' kB' },
  postsBytes: { what: 'scripts and styles of the posts list', limit: 180, unit: ' kB' },
  meBytes: { what: 'scripts and styles of /me', limit: 110, unit: ' kB' },
  firstLoad: { what: 'first load to painted content, p50', limit: null, unit: ' ms' },
} as const satisfies Record<string, Mark>;

export type MarkId = keyof typeof MARKS;

/** One figure that is held against a mark. */
export type Reading = {
  mark: MarkId;
  name: string;
  measured: number;
  /** Percentiles or both sides of the ratio. */
  basis?: string;
};

export const countText = (count: number) => Math.round(count).toLocaleString('en');
const text = (value: number) =>
  value >= 100 || Number.isInteger(value) ? countText(value) : value.toFixed(2);

export function percentiles({ p50, p95, p99 }: Summary): string {
  return `${text(p50)} ms (p95 ${text(p95)}, p99 ${text(p99)})`;
}

/** The ratio of two sides, of their medians unless told otherwise. */
export function ratio(
  mark: MarkId,
  name: string,
  ours: Summary,
  against: Summary,
  share: keyof Summary = 'p50',
): Reading {
  const basis = `${percentiles(ours)} against ${percentiles(against)}`;
  return { mark, name, measured: ours[share] / against[share], basis };
}

/** Judges a mark by the reading that is the farthest off; null when there is none. */
export function verdictOn(id: MarkId, readings: readonly Reading[]) {
  const { limit, isFloor }: Mark = MARKS[id];
  const found = readings.filter((reading) => reading.mark === id);
  const badness = ({ measured }: Reading) =>
    Number.isNaN(measured) ? Infinity : measured * (isFloor ? -1 : 1);
  const [worst] = found.toSorted((a, b) => (badness(a) > badness(b) ? -1 : 1));
  if (worst === undefined) return null;
  // A figure that is no number meets no limit.
  const isMet = ({ measured }: Reading) =>
    limit === null || (isFloor ? measured >= limit : measured <= limit);
  return { worst, missed: found.filter((each) => !isMet(each)).length, of: found.length };
}

/** Every mark with its worst reading: Markdown that lines up in a terminal too. */
export function resultsOf(readings: readonly Reading[]): string {
  // Object.keys forgets the type of the names.
  const ids = Object.keys(MARKS) as MarkId[];
  const marks = ids.map((id) => {
    const { what, limit, unit, isFloor }: Mark = MARKS[id];
    const limitText = limit === null ? 'none' : `${isFloor ? '≥' : '≤'} ${limit}${unit}`;
    const verdict = verdictOn(id, readings);
    if (verdict === null) return [what, limitText, '', '', 'not measured'];
    const { worst, missed, of } = verdict;
    const met = limit === null ? '' : 'met';
    const judged = missed === 0 ? met : `NOT MET (${missed} of ${of})`;
    return [what, limitText, text(worst.measured) + unit, worst.name, judged];
  });
  return `${table(['mark', 'limit', 'at worst', 'where', 'verdict'], marks)}\n`;
}

/** Every reading with its basis, for the terminal alone. */
export function readingsOf(readings: readonly Reading[]): string {
  const rows = readings.map(({ mark, name, measured, basis = '' }) => {
    const { what, unit } = MARKS[mark];
    return [what, name, text(measured) + unit, basis];
  });
  return table(['mark', 'where', 'measured', 'basis'], rows);
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
