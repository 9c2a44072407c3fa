import type { ExpectedVersions } from '../http/entity-version.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** Whether a row is in a version that a change may start from. */
export function isExpected(expected: ExpectedVersions, version: Sql = sql`version`): Sql {
  return sql`(${expected}::bigint[] is null or ${version} = any(${expected}::bigint[]))`;
}

/** After the last one the first: one more, and the statement would fail with all its posts. Of posts `p`. */
export const NEXT_VERSION = sql`p.version % 2147483647 + 1`;
