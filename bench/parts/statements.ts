import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import type { Row } from '../report/row.ts';
import type { Installation } from '../stand/stand.ts';
import { time } from './response-times.ts';
import { POST_LISTS } from './calls.ts';

/** Our statement, total included, against the bare SQL: both through the driver, without a server. */
export async function statements(large: Installation, pace: Pace): Promise<Row[]> {
  const rows: Row[] = [];
  for (const call of POST_LISTS) {
    const own = await call.own(large.facts);
    const bare = await call.bare(large.facts);
    const { ours, sql } = await interleave(
      { ours: () => large.sql.run(own), sql: () => large.sql.run(bare) },
      pace,
    );
    rows.push({
      section: 'Our statement, with the total, against the bare SQL',
      name: call.name,
      ours: time(ours),
      against: { name: 'SQL', ...time(sql) },
      mark: 'statement',
    });
  }
  return rows;
}
