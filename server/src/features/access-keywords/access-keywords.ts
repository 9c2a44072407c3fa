import {
  ACCESS_KEYWORD_MESSAGES,
  KEYWORDS_LISTED,
  accessKeywordCreate,
  accessKeywordList,
  accessKeywordRevoke,
} from '@meridian/contract/access-keywords';
import type { AccessKeyword, AccessKeywordBody } from '@meridian/contract/access-keywords';
import type { FastifyInstance } from 'fastify';
import { entryOf } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { once } from '../../http/idempotency.ts';
import type { RequestKey } from '../../http/idempotency.ts';
import { isUuid, register } from '../../http/register.ts';
import type { Actor } from '../../http/register.ts';

export function accessKeywordsRoutes(
  app: FastifyInstance,
  { accessKeywords }: { accessKeywords: ReturnType<typeof createAccessKeywordsService> },
): void {
  register(app, accessKeywordList, async () => ({ accessKeywords: await accessKeywords.list() }));

  register(app, accessKeywordCreate, async ({ actor, body, key }) => ({
    accessKeyword: await accessKeywords.create(actor, body, key),
  }));

  register(app, accessKeywordRevoke, async ({ actor, params }) => ({
    accessKeyword: await accessKeywords.revoke(actor, params.id),
  }));
}

export function createAccessKeywordsService(db: Database) {
  return {
    list: () =>
      db.many<AccessKeyword>(sql`
        select ${COLUMNS} from ${FROM}
        order by k.created_at desc, k.id desc limit ${sql.whole(KEYWORDS_LISTED)}`),

    async create(
      by: Actor,
      { word, maxUses, expiresAt }: AccessKeywordBody,
      key: RequestKey | null = null,
    ): Promise<AccessKeyword> {
      const id = uuidV7();
      try {
        return await once(db, key, async (tx) => {
          const created = await tx.execute(sql`
            with changed as (
              insert into access_keywords (id, word, max_uses, expires_at, created_by)
              select ${id}::uuid, ${word}, ${maxUses}::int, new.expires_at, ${by.adminId}::uuid
              from (select ${expiresAt}::timestamptz as expires_at) new
              where new.expires_at is null or new.expires_at > now()
              returning id, null::jsonb as was, ${CREATED} as became)
            ${entryOf({ by, action: 'accessKeywordCreate' })}`);
          if (created === 0) throw invalidField('expiresAt', ACCESS_KEYWORD_MESSAGES.expiryPassed);
          return get(tx, id);
        });
      } catch (error) {
        const isTaken = isViolation(error, 'access_keywords_word_key');
        throw isTaken ? new AppError('access_keyword_taken') : error;
      }
    },

    async revoke(by: Actor, id: string): Promise<AccessKeyword> {
      const statement = sql`
        with changed as (
          update access_keywords set revoked_at = now() where id = ${id} and revoked_at is null
          returning id, jsonb_build_object('isRevoked', false) as was,
            jsonb_build_object('isRevoked', true) as became)
        ${entryOf({ by, action: 'accessKeywordRevoke' })}`;
      const isRevoked = isUuid(id) && (await db.execute(statement)) > 0;
      const keyword = await get(db, id);
      if (!isRevoked) throw new AppError('access_keyword_revoked');
      return keyword;
    },
  };
}

async function get(db: Db, id: string): Promise<AccessKeyword> {
  const keyword = isUuid(id)
    ? await db.maybeOne<AccessKeyword>(sql`select ${COLUMNS} from ${FROM} where k.id = ${id}`)
    : null;
  if (keyword === null) throw new AppError('access_keyword_not_found');
  return keyword;
}

const STATUS = sql`access_keyword_status(k)`;
const COLUMNS = sql`
  k.id, k.word, ${STATUS} as status, k.uses, k.max_uses as "maxUses", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", a.username as "createdBy", k.created_at as "createdAt"`;
const FROM = sql`access_keywords k join admins a on a.id = k.created_by`;
/** A keyword lets newcomers in, so the audit log has only its first letters. */
const CREATED = sql`jsonb_build_object(
  'word', left(word, 2) || '…', 'maxUses', max_uses, 'expiresAt', expires_at)`;

export async function findUsableKeyword(db: Db, word: string): Promise<string | null> {
  const row = await db.maybeOne<{ id: string }>(sql`
    select k.id from access_keywords k where k.word = ${word} and ${STATUS} = 'ACTIVE'`);
  return row?.id ?? null;
}

/** The update locks the row, so of two newcomers at once only one gets the last use. */
export async function countKeywordUse(tx: Db, id: string): Promise<boolean> {
  const counted = await tx.execute(sql`
    update access_keywords k set uses = uses + 1 where k.id = ${id} and ${STATUS} = 'ACTIVE'`);
  return counted > 0;
}
