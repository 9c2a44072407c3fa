import type { Database } from './database.ts';
import { isServerError } from './errors.ts';
import { sql } from './sql.ts';

export type WriteProblem = 'read_only' | 'insufficient_privilege' | 'disk_full' | 'io_error';

const PROBLEMS: Record<string, WriteProblem> = {
  '25006': 'read_only',
  '53100': 'disk_full',
  '58030': 'io_error',
};
const TEMP_FILE_LIMIT = '53400';

const CHECK_MS = 10_000;
const RECHECK_MS = 2_000;

export type WriteCheck = {
  /** A change that fails on this database for one of the reasons counts at once. */
  watched: Database;
  /** The database is asked at most every ten seconds, or every two after a failure. */
  problem(): Promise<WriteProblem | null>;
};

/** An idle database is not written to: each write could make its server archive 16 MB of log. */
export function createWriteCheck(db: Database, now = () => performance.now()): WriteCheck {
  /** Each failure is a new object, so that two of them are told apart. */
  let failure: { problem: WriteProblem } | null = null;
  let checkedAt = -Infinity;

  const watch = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const problem = problemOf(error);
      if (problem !== null) failure = { problem };
      throw error;
    }
  };

  return {
    watched: {
      ...db,
      many: (query) => watch(db.many(query)),
      one: (query) => watch(db.one(query)),
      maybeOne: (query) => watch(db.maybeOne(query)),
      execute: (query) => watch(db.execute(query)),
      transaction: (work, options) => watch(db.transaction(work, options)),
    },
    async problem() {
      const startedAt = now();
      if (startedAt - checkedAt >= (failure === null ? CHECK_MS : RECHECK_MS)) {
        const before = failure;
        const problem = await check(db, before !== null);
        checkedAt = startedAt;
        // A change that failed meanwhile is newer than what was found.
        if (failure === before) failure = problem === null ? null : { problem };
      }
      return failure?.problem ?? null;
    },
  };
}

async function check(db: Database, mustCommit: boolean): Promise<WriteProblem | null> {
  // A setting of the database or role holds for new connections; this one may be older.
  const { isReadOnly, lacksPrivilege } = await db.one<{
    isReadOnly: boolean;
    lacksPrivilege: boolean;
  }>(sql`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean or coalesce((
      select split_part(setting, '=', 2)::boolean
      from pg_db_role_setting s, unnest(s.setconfig) as setting
      where starts_with(setting, 'default_transaction_read_only=')
        and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and s.setrole in (0, (select oid from pg_roles where rolname = session_user))
      order by s.setrole <> 0 desc, s.setdatabase <> 0 desc
      limit 1), false) as "isReadOnly",
    exists (
      -- Tables of other owners belong to extensions and other programs.
      select from pg_class own join pg_class t using (relnamespace, relowner)
      where own.oid = 'schema_migrations'::regclass and t.oid <> own.oid and t.relkind in ('r', 'p')
        and not (has_any_column_privilege(t.oid, 'insert')
          -- The audit log is append-only, so an operator may revoke its updates.
          and (t.relname = 'audit_log' or has_any_column_privilege(t.oid, 'update')))
    ) as "lacksPrivilege"`);
  if (isReadOnly) {
    // A connection that was opened while the database could only be read is replaced by this refusal.
    await db
      .execute(sql`update schema_migrations set version = version where false`)
      .catch(() => {});
    return 'read_only';
  }
  if (lacksPrivilege) return 'insufficient_privilege';
  try {
    await db.transaction(async (tx) => {
      // These rows exceed the memory allowed and need a temporary file, which a full disk refuses.
      // A small update would not notice, as its page and its log have room already.
      await tx.execute(sql`set local work_mem = '64kB'`);
      await tx.one(sql`select count(*) from generate_series(1, 5000)`);
      if (mustCommit) {
        await tx.one(sql`select pg_logical_emit_message(true, 'meridian', 'write check')`);
      }
    });
    return null;
  } catch (error) {
    const problem = problemOf(error);
    // A server that forbids temporary files altogether says nothing of its disk.
    const isForbidden = isServerError(error) && error.code === TEMP_FILE_LIMIT;
    if (problem === null && !isForbidden) throw error;
    return problem;
  }
}

function problemOf(error: unknown): WriteProblem | null {
  return isServerError(error) ? (PROBLEMS[error.code ?? ''] ?? null) : null;
}
