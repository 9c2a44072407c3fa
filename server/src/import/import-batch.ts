import type { Client } from 'pg';
import { databaseOn } from '../db/database.ts';
import type { Db } from '../db/database.ts';
import { isServerError } from '../db/errors.ts';
import { PLAN_BY_INDEX_LOCALLY, sql } from '../db/sql.ts';

type Statement = (db: Db, lines: readonly string[]) => Promise<Outcome[]>;

/** A dry run is one transaction that is rolled back at its end, with a savepoint for each batch. */
const REAL = { begin: 'begin', end: 'commit', undo: 'rollback' };
const TRIAL = {
  begin: 'savepoint batch',
  end: 'release savepoint batch',
  undo: 'rollback to savepoint batch',
};

/** Data exceptions, broken constraints, and values beyond a limit are the fault of a line. */
const FAULTS_OF_DATA = /^(?:22|23|54)/;

/** A batch that the database refuses, or whose lines contradict each other, is imported line by line. */
export async function importBatch(
  client: Client,
  statement: Statement,
  lines: readonly string[],
  isDryRun: boolean,
): Promise<Outcome[]> {
  const mode = isDryRun ? TRIAL : REAL;
  const together = await attempt(client, statement, lines, mode);
  const outcomes =
    typeof together === 'string'
      ? []
      : together.filter(({ isAdded, finding }) => isAdded || finding !== null);
  const decided = new Set(outcomes.map(({ n }) => n));
  for (const [index, line] of lines.entries()) {
    const n = index + 1;
    if (decided.has(n)) continue;
    const alone = await attempt(client, statement, [line], mode);
    if (typeof alone === 'string') {
      outcomes.push({ n, isAdded: false, finding: alone, isOverdue: false });
    } else for (const outcome of alone) outcomes.push({ ...outcome, n });
  }
  return outcomes.toSorted((a, b) => a.n - b.n);
}

async function attempt(
  client: Client,
  statement: Statement,
  lines: readonly string[],
  { begin, end, undo }: typeof REAL,
): Promise<Outcome[] | string> {
  await client.query(begin);
  try {
    const db = databaseOn(client);
    // The statistics of growing tables are wrong, and a scan would be chosen too long.
    await db.execute(PLAN_BY_INDEX_LOCALLY);
    const outcomes = await statement(db, lines);
    await client.query(end);
    return outcomes;
  } catch (error) {
    if (!isServerError(error) || !FAULTS_OF_DATA.test(error.code ?? '')) throw error;
    await client.query(undo);
    return `The database refuses it: ${error.message}`;
  }
}

type Outcome = {
  n: number;
  isAdded: boolean;
  finding: string | null;
  isOverdue: boolean;
};

/** The database parses each line itself: numbers and instants keep every digit. */
const LINES = (lines: readonly string[]) =>
  sql`unnest(${[...lines]}::text[]) with ordinality as given (line, n)`;

/** A line that names a person again stays undecided when the line before it was refused. */
export async function importPeople(db: Db, lines: readonly string[]): Promise<Outcome[]> {
  return db.many<Outcome>(sql`
    with given as materialized (
      select n, row_number() over (partition by p.did order by n) as nth, p.*
      from ${LINES(lines)}, jsonb_to_record(line::jsonb) as p (
        id uuid, did text, handle text, display_name text, avatar text, status text,
        is_active boolean, has_access_keyword_access boolean, upgrade_prohibited boolean,
        created_at timestamptz, updated_at timestamptz)),
    judged as materialized (
      select coalesce(given.id, known.id, new_row_id()) as row_id, given.*,
        case when known.id = coalesce(given.id, known.id) then 'present'
             when known.id is not null then 'The did belongs to the person ' || known.id
             when other.id is not null then 'The id belongs to the person ' || other.did end as finding
      from given left join users known on known.did = given.did left join users other on other.id = given.id),
    added as (
      insert into users (id, did, handle, display_name, avatar, status, is_active,
                         has_access_keyword_access, upgrade_prohibited, created_at, updated_at)
      select row_id, did, handle, display_name, avatar, coalesce(status, 'ACTIVE'),
        coalesce(is_active, true), coalesce(has_access_keyword_access, false),
        coalesce(upgrade_prohibited, false), coalesce(created_at, now()),
        coalesce(updated_at, created_at, now())
      from judged where finding is null and nth = 1 order by n
      on conflict do nothing returning id, did)
    select n, nth = 1 and added.id is not null as "isAdded", false as "isOverdue",
      case when nth > 1 and (added.id is not null or bool_or(finding = 'present') over same_did) then 'present'
           else finding end as finding
    from judged left join added on added.did = judged.did
    window same_did as (partition by judged.did)`);
}

/** A post that was sent or deleted here does not come back. */
export async function importPosts(db: Db, lines: readonly string[]): Promise<Outcome[]> {
  return db.many<Outcome>(sql`
    with given as materialized (
      select n, row_number() over (partition by p.id order by n) as nth,
        coalesce(p.at_rkey, substring(p.at_uri from '[^/]+$')) as rkey, p.*
      from ${LINES(lines)}, jsonb_to_record(line::jsonb) as p (
        id uuid, did text, content text, facets jsonb, embed jsonb, languages text[], status text,
        scheduled_at timestamptz, created_at timestamptz, updated_at timestamptz,
        executed_at timestamptz, at_uri text, at_rkey text, error_msg text, cause text,
        reply_to text, thread jsonb, retry_of uuid)),
    judged as materialized (
      select given.*, author.id as user_id,
        case when exists (select from posts p where p.id = given.id) then 'present'
             when author.id is null then 'There is no person with this did'
             when exists (select from deliveries d where d.post_id = given.id)
               or exists (select from audit_log a where a.entity_id = given.id::text and a.action = 'postDelete')
               then 'The post was deleted here'
             when exists (select from posts p where p.user_id = author.id and p.at_rkey = rkey)
               then 'Another post of this person has the same at_rkey'
             when exists (select from posts p where p.retry_of = given.retry_of)
               then 'Another post has the same retry_of' end as finding
      from given left join users author on author.did = given.did),
    added as (
      insert into posts (id, user_id, content, facets, embed, languages, status, scheduled_at, created_at,
                         updated_at, executed_at, at_uri, at_rkey, error_msg, cause, reply_to, thread, retry_of)
      select id, user_id, content, facets, embed, coalesce(languages, '{}'), status, scheduled_at,
        coalesce(created_at, now()), coalesce(updated_at, created_at, now()), executed_at, at_uri,
        rkey, error_msg, cause, reply_to, thread, retry_of
      from judged where finding is null and nth = 1 order by n
      on conflict do nothing returning id)
    select n, nth = 1 and added.id is not null as "isAdded",
      case when nth > 1 and added.id is not null then 'present' else finding end as finding,
      status = 'PENDING' and scheduled_at < now() as "isOverdue"
    from judged left join added on added.id = judged.id`);
}
