import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { count, id, instant, integer, line, timestamp } from './fields.ts';
import { KEYWORD_MAX_LENGTH } from './me/account.ts';

export const ACCESS_KEYWORD_MESSAGES = {
  expiryPassed: 'Expiry must be in the future',
  loadFailed: 'Failed to load access keywords',
  createFailed: 'Failed to create the access keyword',
  revokeFailed: 'Failed to revoke the access keyword',
} as const;

export const KEYWORD_MIN_LENGTH = 6;
export const KEYWORDS_LISTED = 500;

export const ACCESS_KEYWORD_STATUSES = ['ACTIVE', 'USED_UP', 'EXPIRED', 'REVOKED'] as const;

const accessKeyword = z.object({
  id,
  word: z.string(),
  status: z.enum(ACCESS_KEYWORD_STATUSES),
  uses: count,
  maxUses: z.nullable(z.int()),
  expiresAt: z.nullable(timestamp),
  revokedAt: z.nullable(timestamp),
  createdBy: z.string(),
  createdAt: timestamp,
});
export type AccessKeyword = z.output<typeof accessKeyword>;
const keywordEnvelope = z.object({ accessKeyword });

const TOO_SHORT = `Access keyword must be at least ${KEYWORD_MIN_LENGTH} characters`;

export const accessKeywordBody = z.strictObject({
  word: line('Access keyword', KEYWORD_MAX_LENGTH).check(
    z.overwrite(canonicalKeyword),
    z.minLength(KEYWORD_MIN_LENGTH, { error: TOO_SHORT }),
  ),
  maxUses: z.nullable(integer('Uses', 1)),
  expiresAt: z.nullable(instant('Expiry')),
});
export type AccessKeywordBody = z.output<typeof accessKeywordBody>;

/** Neither case nor form of a letter matters. */
export function canonicalKeyword(word: string): string {
  return word.normalize('NFKC').trim().toLowerCase();
}

export const accessKeywordList = endpoint({
  name: 'accessKeywordList',
  method: 'GET',
  path: '/api/admin/access-keywords',
  right: 'keywords:read',
  summary: `The newest ${KEYWORDS_LISTED} access keywords with their uses`,
  answer: z.object({ accessKeywords: z.array(accessKeyword) }),
});

export const accessKeywordCreate = endpoint({
  name: 'accessKeywordCreate',
  method: 'POST',
  path: '/api/admin/access-keywords',
  right: 'keywords:write',
  summary: 'Create an access keyword, which lets newcomers in during closed beta',
  takesKey: true,
  status: 201,
  body: accessKeywordBody,
  answer: keywordEnvelope,
});

export const accessKeywordRevoke = endpoint({
  name: 'accessKeywordRevoke',
  method: 'POST',
  path: '/api/admin/access-keywords/{id}/revoke',
  right: 'keywords:write',
  summary: 'Stop an access keyword; the people who came with it stay',
  answer: keywordEnvelope,
});
