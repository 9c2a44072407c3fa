import { RETRYABLE_CAUSES, isRetryable } from '@meridian/contract/causes';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext, Author } from '../../audit/audit.store.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import type { Foundation } from '../../foundation.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid } from '../../http/register.ts';
import { recordKey } from '../../network/identity.ts';
import { POST_COLLECTION } from '../../network/network.ts';
import type { Network } from '../../network/network.ts';
import type { RequireRetryable } from '../noun.ts';

const PUBLISHED = new Set(['published', 'already', 'altered']);

export function createRetryPost(requireRetryable: RequireRetryable) {
  return async function retryPost(db: Db, by: Author, id: string): Promise<{ retryId: string }> {
    await requireRetryable(db, id);
    const retryId = await insertRetry(db, id, { by, action: 'postRetry' });
    // Another request was faster, or the post was deleted meanwhile.
    if (retryId === null) throw new AppError('post_already_retried');
    return { retryId };
  };
}

/** A host may be asked, so this never runs within a transaction, which would wait for it. */
export function createRetryCheck(findRecord: FindRecord): RequireRetryable {
  return async function requireRetryable(db, id, member) {
    const facts = isUuid(id) ? await findRetryFacts(db, id) : null;
    if (facts === null) throw new AppError('post_not_found');
    if (facts.retriedAs !== null) throw new AppError('post_already_retried');
    if (facts.atUri !== null || PUBLISHED.has(facts.outcome ?? '')) {
      throw new AppError('post_already_published');
    }
    if (facts.status !== 'FAILED' || !isRetryable(facts.cause)) {
      throw new AppError('post_not_retryable');
    }
    if (facts.cause === 'unknown_outcome' && member?.iLooked === false) {
      throw new AppError('post_unconfirmed');
    }
    const isPublished = await findPublished(db, id, facts);
    if (isPublished === true) throw new AppError('post_already_published');
    if (isPublished === null && member?.iLooked !== true) {
      throw new AppError('post_outcome_unknown');
    }
  };

  async function findPublished(db: Db, id: string, facts: RetryFacts): Promise<boolean | null> {
    const { outcome, host, did } = facts;
    // The engine has looked itself before it settles a post as refused.
    if (outcome === 'refused' || host === null) return false;
    // Without a journal the database may have lost it.
    const rkey = facts.rkey ?? recordKey(id, 0);
    const response = (await findRecord?.(host, did, rkey)) ?? null;
    if (response?.kind !== 'response') return null;
    if (response.status === 200) {
      await savePublished(db, id, { uri: `at://${did}/${POST_COLLECTION}/${rkey}`, rkey });
      return true;
    }
    return response.error === 'RecordNotFound' ? false : null;
  }
}

type FindRecord = Network['getRecord'] | null;

type Networks = Pick<Foundation, 'config' | 'db' | 'live'>;

export function findRecordOf({ config, db, live }: Networks): FindRecord {
  if (live !== null) return (...record) => live.network.getRecord(...record);
  if (config.network !== 'local') return null;
  return async (host, did, rkey) => {
    // Few processes ever look for a record.
    const { createLocalNetwork } = await import('../../network/local/local-network.ts');
    return createLocalNetwork(db).getRecord(host, did, rkey);
  };
}

type RetryFacts = {
  status: string;
  cause: string | null;
  atUri: string | null;
  retriedAs: string | null;
  outcome: string | null;
  rkey: string | null;
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

export const RETRY_STATE = sql`case
  when exists (select from posts r where r.retry_of = t.id) then 'post_already_retried'
  when t.at_uri is not null then 'post_already_published'
  when t.status <> 'FAILED' or t.cause is null or t.cause <> all(${RETRYABLE_CAUSES}::text[])
    then 'post_not_retryable'
  else 'open' end`;

/** The unique index decides between retries at once. */
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

async function insertRetry(db: Db, id: string, audit: AuditContext): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(sql`
    with made as (${insertRetries([id])}),
    changed as (
      select retry_of as id, null::jsonb as was, jsonb_build_object('retried_as', id) as became
      from made),
    audited as (${entryOf(audit)})
    select id from made`);
  return row?.id ?? null;
}

/** No later retry needs to ask the host. The failure keeps its time. */
async function savePublished(
  db: Db,
  id: string,
  record: { uri: string; rkey: string },
): Promise<void> {
  await db.execute(sql`
    update posts set at_uri = ${record.uri}, at_rkey = ${record.rkey}, version = version + 1
    where id = ${id} and (status = 'FAILED') is true and at_uri is null`);
}
