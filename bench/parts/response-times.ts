import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import type { Summary } from '../measure/percentiles.ts';
import type { Figure, Row } from '../report/row.ts';
import type { Installation } from '../stand/stand.ts';
import type { Call } from './calls.ts';

export function time({ p50, p99 }: Summary): Figure {
  return { value: p50, p99, unit: 'ms' };
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}

/** One call over HTTP against its bare SQL, and against itself on the small database. */
export async function responseTimes(
  { name, path, bare, mark }: Call,
  {
    large,
    small,
    bareRoute,
  }: { large: Installation; small: Installation; bareRoute: () => Promise<Buffer> },
  pace: Pace,
): Promise<Row[]> {
  const statement = await bare(large.facts);
  const { ours, sql, route, before } = await interleave(
    {
      ours: large.call({ path: path(large.facts) }),
      sql: () => large.sql.run(statement),
      route: bareRoute,
      before: small.call({ path: path(small.facts) }),
    },
    pace,
  );
  return [
    {
      section: 'Answer over HTTP against the bare SQL',
      name,
      ours: time(ours),
      against: { name: 'SQL', ...time(sql) },
      mark,
    },
    {
      section: 'Answer over HTTP against a bare Fastify route',
      name,
      ours: time(ours),
      against: { name: 'bare', ...time(route) },
      mark: null,
    },
    growthRow(name, ours, before, small),
  ];
}

export function growthRow(name: string, ours: Summary, before: Summary, small: Installation): Row {
  return {
    section: `Growth from ${countText(small.database.posts)} posts`,
    name,
    ours: time(ours),
    against: { name: 'small', ...time(before) },
    mark: 'growth',
  };
}
