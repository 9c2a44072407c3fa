import type { ExpectedVersions } from '../http/entity-version.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** Whether a row is in a version that a change may start from. */
export function isExpected(expected: ExpectedVersions, version: Sql = sql`version`): Sql {
  return sql`(${expected}::bigint[] is null or ${version} = any(${expected}::bigint[]))`;
}
