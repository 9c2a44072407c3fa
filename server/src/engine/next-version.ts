import { sql } from '../db/sql.ts';

/** After the last one the first: one more, and the statement would fail with all its posts. Of posts `p`. */
export const NEXT_VERSION = sql`p.version % 2147483647 + 1`;
