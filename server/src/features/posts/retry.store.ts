import { RETRYABLE_CAUSES } from '@meridian/contract/retries';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export type RetryFacts = {
  status: string;
  cause: string | null;
  atUri: string | null;
  retriedAs: string | null;
  /** Of the journal; null where nothing was journalled. */
  outcome: string | null;
  rkey: string | null;
  /** Of the journal, else of the account; null without one. */
  host: string | null;
  did: string;
};

export async function findRetryFacts(db: Db, id: string): Promise<RetryFacts | null> {
  return db.maybeOne<RetryFacts>(sql`
    select p.status, p.cause, p.at_uri as "atUri",
      (select r.id from posts r where r.retry_of = p.id) as "retriedAs",
      d.outcome, d.writes -> 0 ->> 'rkey' as rkey,
      coalesce(d.host, a.host) as host, coalesce(d.did, u.did) as did
    from posts p join users u on u.id = p.user_id left join accounts a on a.user_id = p.user_id
      left join deliveries d on d.post_id = p.id
    where p.id = ${id}`);
}

/** Of a post `t`: 'open' when it can be retried as far as the database knows, else the code of the refusal. */
export const RETRY_STATE = sql`case
  when exists (select from posts r where r.retry_of = t.id) then 'post_already_retried'
  when t.at_uri is not null then 'post_already_published'
  when t.status <> 'FAILED' or t.cause is null or t.cause <> all(${RETRYABLE_CAUSES}::text[])
    then 'post_not_retryable'
  else 'open' end`;

/** The retries of those posts that are still FAILED and have none: the unique index decides. */
export function insertRetries(ids: readonly string[]): Sql {
  return sql`
    insert into posts (id, user_id, content, facets, embed, languages, reply_to, thread, status,
      scheduled_at, retry_of)
    select new_row_id(), user_id, content, facets, embed, languages, reply_to, thread, 'PENDING',
      now(), id
    from posts where id = any(${ids}::uuid[]) and (status = 'FAILED') is true and at_uri is null
    on conflict (retry_of) where retry_of is not null do nothing
    returning id, retry_of`;
}

/** Null when the post is gone or no longer FAILED, or has a retry. */
export async function insertRetry(db: Db, id: string, audit: AuditContext): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(sql`
    with made as (${insertRetries([id])}),
    changed as (
      select retry_of as id, null::jsonb as was, jsonb_build_object('retried_as', id) as became
      from made),
    logged as (${entryOf(audit)})
    select id from made`);
  return row?.id ?? null;
}

/** The look of a retry found it: no later one needs to ask the host. The failure keeps its time. */
export async function savePublished(
  db: Db,
  id: string,
  { uri, rkey }: { uri: string; rkey: string },
): Promise<void> {
  await db.execute(sql`
    update posts set at_uri = ${uri}, at_rkey = ${rkey}, version = version + 1
    where id = ${id} and (status = 'FAILED') is true and at_uri is null`);
}
