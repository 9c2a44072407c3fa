import { KEYWORDS_LISTED } from '@meridian/contract/access-keywords';
import type { AccessKeyword, AccessKeywordBody } from '@meridian/contract/access-keywords';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

const STATUS = sql`access_keyword_status(k)`;
const COLUMNS = sql`
  k.id, k.word, ${STATUS} as status, k.uses, k.max_uses as "maxUses", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", a.username as "createdBy", k.created_at as "createdAt"`;
const FROM = sql`access_keywords k join admins a on a.id = k.created_by`;
/** For the audit log. A keyword lets people in: its first letters tell it apart. */
const CREATED = sql`jsonb_build_object(
  'word', left(word, 2) || '…', 'maxUses', max_uses, 'expiresAt', expires_at)`;

export async function listKeywords(db: Db): Promise<AccessKeyword[]> {
  return db.many<AccessKeyword>(sql`
    select ${COLUMNS} from ${FROM}
    order by k.created_at desc, k.id desc limit ${sql.whole(KEYWORDS_LISTED)}`);
}

export async function findKeyword(db: Db, id: string): Promise<AccessKeyword | null> {
  return db.maybeOne<AccessKeyword>(sql`select ${COLUMNS} from ${FROM} where k.id = ${id}`);
}

/** The id of a keyword that lets people in now. */
export async function findUsableKeyword(db: Db, word: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(sql`
    select k.id from access_keywords k where k.word = ${word} and ${STATUS} = 'ACTIVE'`);
  return row?.id ?? null;
}

/** False when it would have expired already. */
export async function insertKeyword(
  db: Db,
  keyword: AccessKeywordBody & { id: string; createdBy: string },
  audit: AuditContext,
): Promise<boolean> {
  const logged = await db.execute(sql`
    with changed as (
      insert into access_keywords (id, word, max_uses, expires_at, created_by)
      select ${keyword.id}::uuid, ${keyword.word}, ${keyword.maxUses}::int, new.expires_at, ${keyword.createdBy}::uuid
      from (select ${keyword.expiresAt}::timestamptz as expires_at) new
      where new.expires_at is null or new.expires_at > now()
      returning id, null::jsonb as was, ${CREATED} as became)
    ${entryOf(audit)}`);
  return logged > 0;
}

/** False when there is no such keyword, or it was revoked before. */
export async function revokeKeyword(db: Db, id: string, audit: AuditContext): Promise<boolean> {
  const logged = await db.execute(sql`
    with changed as (
      update access_keywords set revoked_at = now() where id = ${id} and revoked_at is null
      returning id, jsonb_build_object('isRevoked', false) as was, jsonb_build_object('isRevoked', true) as became)
    ${entryOf(audit)}`);
  return logged > 0;
}

/**
 * Counts one use. False when none is left: the row is locked by the update, so that of
 * two newcomers at once only one gets the last use.
 */
export async function countKeywordUse(tx: Db, id: string): Promise<boolean> {
  const counted = await tx.execute(sql`
    update access_keywords k set uses = uses + 1 where k.id = ${id} and ${STATUS} = 'ACTIVE'`);
  return counted > 0;
}
