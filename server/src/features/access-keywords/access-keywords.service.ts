import { ACCESS_KEYWORD_MESSAGES } from '@meridian/contract/access-keywords';
import type { AccessKeyword, AccessKeywordBody } from '@meridian/contract/access-keywords';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, invalidField } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { once } from '../../idempotency/once.ts';
import type { RequestKey } from '../../idempotency/request-key.ts';
import * as store from './access-keywords.store.ts';

export function createAccessKeywordsService(db: Database) {
  return {
    list: (): Promise<AccessKeyword[]> => store.listKeywords(db),

    async create(
      by: Actor,
      body: AccessKeywordBody,
      key: RequestKey | null = null,
    ): Promise<AccessKeyword> {
      const id = uuidV7();
      const audit = { by, action: 'accessKeywordCreate' } as const;
      try {
        return await once(db, key, async (tx) => {
          const keyword = { id, ...body, createdBy: by.adminId };
          if (!(await store.insertKeyword(tx, keyword, audit))) {
            throw invalidField('expiresAt', ACCESS_KEYWORD_MESSAGES.expiryPassed);
          }
          return get(tx, id);
        });
      } catch (error) {
        const isTaken = isViolation(error, 'access_keywords_word_key');
        throw isTaken ? new AppError('access_keyword_taken') : error;
      }
    },

    async revoke(by: Actor, id: string): Promise<AccessKeyword> {
      const audit = { by, action: 'accessKeywordRevoke' } as const;
      const isRevoked = isUuid(id) && (await store.revokeKeyword(db, id, audit));
      const keyword = await get(db, id);
      if (!isRevoked) throw new AppError('access_keyword_revoked');
      return keyword;
    },
  };
}

async function get(from: Db, id: string): Promise<AccessKeyword> {
  const keyword = isUuid(id) ? await store.findKeyword(from, id) : null;
  if (keyword === null) throw new AppError('access_keyword_not_found');
  return keyword;
}
